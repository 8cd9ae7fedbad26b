import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuxiliaryQueries } from '../../database/index.js';
import { Metrics } from '../../metrics/index.js';
import { STATUS } from './deposit-rows.js';
import { DEPOSIT_STATUSES, type DepositStatus } from './deposit-view.js';

const SELECT = `SELECT ${STATUS} AS status, count(*)::integer AS deposits FROM deposit d GROUP BY 1`;

/** The numbers of deposits. A scrape does not look for gifts that arrived late: that would change deposits. */
@Injectable()
export class DepositMetrics implements OnModuleInit {
  constructor(
    private readonly queries: AuxiliaryQueries,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'deposits',
      {
        offertory_deposits: {
          help: 'Deposits by status: open (nothing to compare with), matches, differs, reconciled. The same on every replica',
          labelNames: ['status'],
        },
      },
      async () => {
        const rows = await this.queries.query<{ status: DepositStatus; deposits: number }>(SELECT);
        const counts = new Map(rows.map(({ status, deposits }) => [status, deposits]));
        return {
          offertory_deposits: DEPOSIT_STATUSES.map((status) => ({
            labels: { status: status.toLowerCase() },
            value: counts.get(status) ?? 0,
          })),
        };
      },
    );
  }
}
