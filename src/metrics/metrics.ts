import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../version.js';
import { type GaugeDefinition, GaugeSource, type ReadGauges } from './gauge-source.js';

/**
 * The metrics of this process; modules add theirs. Each application has its own registry instead of prom-client's
 * global one, so that two services in one process count separately. The values of a label must be few and known:
 * routes, codes, names of existing users; never text from an unauthenticated request.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly sources: GaugeSource[] = [];
  private readonly missing = new Gauge({
    name: 'offertory_figures_missing',
    help: '1 if metrics that are read at the scrape, mostly from the database, could not be read in time',
    labelNames: ['source'],
    registers: [this.registry],
  });
  private underWay: Promise<string> | undefined;

  constructor() {
    const help = 'Always 1; the label is the version of the service';
    new Gauge({ name: 'offertory_build_info', help, labelNames: ['version'], registers: [this.registry] }).set(
      { version: VERSION },
      1,
    );
  }

  /** The media type of {@link expose}. */
  readonly contentType = this.registry.contentType;

  /** The registry for prom-client's own metrics of the process. */
  get processRegistry(): Registry {
    return this.registry;
  }

  /** Counts events; the name ends in `_total`. */
  counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** Measures durations in seconds; the name ends in `_seconds`. */
  histogram<L extends string>(
    name: string,
    help: string,
    options: { labelNames?: readonly L[]; buckets: readonly number[] },
  ): Histogram<L> {
    const { labelNames = [], buckets } = options;
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }

  /**
   * Adds gauges whose values `read` returns at each scrape. While `read` throws, or takes longer than two seconds, the
   * values are left out and `offertory_figures_missing` is 1.
   */
  gauges(source: string, definitions: Readonly<Record<string, GaugeDefinition>>, read: ReadGauges): void {
    this.sources.push(new GaugeSource(source, definitions, read, this.registry));
  }

  /** All metrics in Prometheus' text format. Concurrent callers get the same answer. */
  async expose(): Promise<string> {
    this.underWay ??= this.collect().finally(() => (this.underWay = undefined));
    return this.underWay;
  }

  private async collect(): Promise<string> {
    await Promise.all(
      this.sources.map(async (source) => {
        this.missing.set({ source: source.name }, (await source.refresh()) ? 0 : 1);
      }),
    );
    return this.registry.metrics();
  }
}
