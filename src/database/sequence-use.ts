import { Injectable, OnModuleInit } from '@nestjs/common';
import { Metrics } from '../metrics/index.js';
import { Transactions } from './transactions/transactions.js';

/** How far the ids of one sequence are used up. */
interface UsedSequence {
  readonly sequence: string;
  readonly used: number;
  /** The highest id that there is. */
  readonly available: number;
}

/** How far ids are used up: an id is a 32-bit integer in the API, and there are no more than that. */
@Injectable()
export class SequenceUse implements OnModuleInit {
  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'ids',
      {
        offertory_ids_used_ratio: {
          help: 'How much of the ids of a sequence is used up, from 0 to 1. The same on every replica',
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

  /** Of every sequence of the books and of the queue; the fullest first. */
  async read(): Promise<UsedSequence[]> {
    const rows = await this.transactions.query<UsedSequence>(
      'SELECT sequence, used::float8 AS used, available::float8 AS available FROM sequence_use()',
    );
    return rows.sort((one, other) => other.used / other.available - one.used / one.available);
  }
}
