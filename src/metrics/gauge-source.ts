import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** One value of a gauge. */
export interface Figure {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a gauge tells. */
export interface GaugeDefinition {
  readonly help: string;
  readonly labelNames?: readonly string[];
}

/** Reads the figures of all gauges of a source, by their names. */
export type ReadFigures = () =>
  Readonly<Record<string, readonly Figure[]>> | Promise<Readonly<Record<string, readonly Figure[]>>>;

/** Prometheus gives up on a scrape after 10 s; a database that says nothing must not cost it the other figures. */
const READ_LIMIT_MS = 2_000;

/** Gauges that are read together, at the scrape. */
export class GaugeSource {
  private readonly gauges: ReadonlyMap<string, Gauge>;
  private underWay: ReturnType<GaugeSource['start']> | undefined;

  constructor(
    readonly name: string,
    private readonly definitions: Readonly<Record<string, GaugeDefinition>>,
    private readonly read: ReadFigures,
    registry: Registry,
  ) {
    this.gauges = new Map(
      Object.entries(definitions).map(([gauge, { help, labelNames = [] }]) => [
        gauge,
        new Gauge({ name: gauge, help, labelNames, registers: [registry] }),
      ]),
    );
  }

  /** Takes the old figures away, and the new ones in. @returns false when there are none. */
  async refresh(): Promise<boolean> {
    this.forget();
    // One that still waits for the database is waited for, not started again: scrapes must not pile up connections.
    this.underWay ??= this.start().finally(() => (this.underWay = undefined));
    const figures = await Promise.race([this.underWay, sleep(READ_LIMIT_MS, undefined, { ref: false })]);
    if (figures === undefined) return false;
    for (const [name, list] of Object.entries(figures)) {
      for (const { labels = {}, value } of list) this.gauges.get(name)?.set(labels, value);
    }
    return true;
  }

  private forget(): void {
    for (const [name, gauge] of this.gauges) {
      gauge.reset();
      // prom-client sets a gauge without labels to 0, which would be a figure.
      if ((this.definitions[name]?.labelNames ?? []).length === 0) gauge.remove();
    }
  }

  /** What was read, or undefined. Never rejects. */
  private async start(): Promise<Awaited<ReturnType<ReadFigures>> | undefined> {
    try {
      return await this.read();
    } catch {
      // Told by offertory_figures_missing; the log hears of a lost database from those who need it.
      return undefined;
    }
  }
}
