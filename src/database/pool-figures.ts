import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Metrics } from '../metrics/index.js';

/** How much of the pool of connections for requests is in use. */
@Injectable()
export class PoolFigures implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'pool',
      {
        offertory_database_connections: {
          help: 'Connections for requests: used, idle, and the most there may be (DATABASE_POOL_SIZE)',
          labelNames: ['state'],
        },
        offertory_database_connections_awaited: { help: 'Who waits for a connection, since all are in use' },
      },
      () => {
        const { totalCount, idleCount, waitingCount, options } = this.pool();
        const connections = { used: totalCount - idleCount, idle: idleCount, most: options.max };
        return {
          offertory_database_connections: Object.entries(connections).map(([state, value]) => ({
            labels: { state },
            value,
          })),
          offertory_database_connections_awaited: [{ value: waitingCount }],
        };
      },
    );
  }

  /** TypeORM's driver for PostgreSQL keeps it under this name. */
  private pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }
}
