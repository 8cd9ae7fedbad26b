import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** One value of a gauge. */
export interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a gauge means. */
export interface GaugeDefinition {
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** Reads the values of all gauges of a source, by the gauges' names. */
export type ReadGauges = () =>
  Readonly<Record<string, readonly GaugeValue[]>> | Promise<Readonly<Record<string, readonly GaugeValue[]>>>;

/** Prometheus gives up on a scrape after 10 s. A database that does not answer must not cost it the other metrics. */
const READ_LIMIT_MS = 2_000;

/** Gauges that are read together at each scrape. */
export class GaugeSource {
  private readonly gauges: ReadonlyMap<string, Gauge>;
  private underWay: ReturnType<GaugeSource['start']> | undefined;

  constructor(
    readonly name: string,
    private readonly definitions: Readonly<Record<string, GaugeDefinition>>,
    private readonly read: ReadGauges,
    registry: Registry,
  ) {
    this.gauges = new Map(
      Object.entries(definitions).map(([gauge, { help, labelNames = [] }]) => [
        gauge,
        new Gauge({ name: gauge, help, labelNames, registers: [registry] }),
      ]),
    );
  }

  /** Replaces the values by new ones. @returns false when they could not be read in time; then there are no values. */
  async refresh(): Promise<boolean> {
    this.forget();
    // Waits for a read that is still running, so that scrapes do not use up connections.
    this.underWay ??= this.start().finally(() => (this.underWay = undefined));
    const values = await Promise.race([this.underWay, sleep(READ_LIMIT_MS, undefined, { ref: false })]);
    if (values === undefined) return false;
    for (const [name, list] of Object.entries(values)) {
      for (const { labels = {}, value } of list) this.gauges.get(name)?.set(labels, value);
    }
    return true;
  }

  private forget(): void {
    for (const [name, gauge] of this.gauges) {
      gauge.reset();
      // prom-client's reset sets a gauge without labels to 0, which would be a value.
      if ((this.definitions[name]?.labelNames ?? []).length === 0) gauge.remove();
    }
  }

  /** The values, or undefined when they could not be read. Never rejects. */
  private async start(): Promise<Awaited<ReturnType<ReadGauges>> | undefined> {
    try {
      return await this.read();
    } catch {
      // Shown by offertory_figures_missing. Other parts log that the database is unavailable.
      return undefined;
    }
  }
}
