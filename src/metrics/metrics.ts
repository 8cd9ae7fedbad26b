import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../version.js';
import { type GaugeDefinition, GaugeSource, type ReadFigures } from './gauge-source.js';

/**
 * The figures of this process, which modules hand in as they do their health warnings. One registry for each
 * application, never prom-client's global one: two services in one process do not count together.
 * A label's values must be few and known: routes, codes, names of users there are; never what a stranger sent.
 */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly sources: GaugeSource[] = [];
  private readonly missing = new Gauge({
    name: 'offertory_figures_missing',
    help: '1 where figures that are read at the scrape, mostly from the database, could not be read in time',
    labelNames: ['source'],
    registers: [this.registry],
  });
  private underWay: Promise<string> | undefined;

  constructor() {
    const help = 'Always 1; the label tells which version runs';
    new Gauge({ name: 'offertory_build_info', help, labelNames: ['version'], registers: [this.registry] }).set(
      { version: VERSION },
      1,
    );
  }

  /** The media type of {@link expose}. */
  readonly contentType = this.registry.contentType;

  /** What prom-client's own figures of the process are added to. */
  get processRegistry(): Registry {
    return this.registry;
  }

  /** Something that is counted when it happens; the name ends in `_total`. */
  counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** Durations in seconds; the name ends in `_seconds`. */
  histogram<L extends string>(
    name: string,
    help: string,
    options: { labelNames?: readonly L[]; buckets: readonly number[] },
  ): Histogram<L> {
    const { labelNames = [], buckets } = options;
    return new Histogram({ name, help, labelNames, buckets: [...buckets], registers: [this.registry] });
  }

  /**
   * Figures that are read when somebody asks for them. `read` gives those of the named gauges; while it throws, or
   * takes longer than two seconds, they are left out and `offertory_figures_missing` says so.
   */
  gauges(source: string, definitions: Readonly<Record<string, GaugeDefinition>>, read: ReadFigures): void {
    this.sources.push(new GaugeSource(source, definitions, read, this.registry));
  }

  /** All figures in Prometheus' text format. Those who ask at the same time get one answer. */
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
