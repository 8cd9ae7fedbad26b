import { Injectable, OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Metrics } from '../../metrics/index.js';
import { poolOf } from './pool.js';

/** The use of the connection pool for requests. */
@Injectable()
export class PoolMetrics implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'pool',
      {
        offertory_database_connections: {
          help: 'Connections for requests: used, idle, and the maximum (DATABASE_POOL_SIZE)',
          labelNames: ['state'],
        },
        offertory_database_connections_awaited: { help: 'Callers that wait for a connection because all are in use' },
      },
      () => {
        const { totalCount, idleCount, waitingCount, options } = poolOf(this.dataSource);
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
}
