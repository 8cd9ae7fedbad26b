import { Injectable, OnModuleInit } from '@nestjs/common';
import { Metrics } from '../metrics/index.js';
import { AuxiliaryQueries } from './auxiliary-queries.js';

/** How many ids of a sequence are used. */
interface UsedSequence {
  readonly sequence: string;
  readonly used: number;
  /** The highest possible id. */
  readonly available: number;
}

/** Reads how many ids are used. In the API an id is a 32-bit integer, so there is a limit. */
@Injectable()
export class SequenceUse implements OnModuleInit {
  constructor(
    private readonly queries: AuxiliaryQueries,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'ids',
      {
        offertory_ids_used_ratio: {
          help: 'The share of the ids of a sequence that is used, from 0 to 1. The same on every replica',
          labelNames: ['sequence'],
        },
      },
      async () => ({
        offertory_ids_used_ratio: (await this.read()).map(({ sequence, used, available }) => ({
          labels: { sequence },
          value: used / available,
        })),
      }),
    );
  }

  /** The use of every sequence of the books and of the queue, the fullest first. */
  async read(): Promise<UsedSequence[]> {
    const rows = await this.queries.query<UsedSequence>(
      'SELECT sequence, used::float8 AS used, available::float8 AS available FROM sequence_use()',
    );
    return rows.sort((one, other) => other.used / other.available - one.used / one.available);
  }
}
