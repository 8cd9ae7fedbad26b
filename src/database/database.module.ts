import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type Connection, CONNECTION, dataSourceOptions } from './sessions/connection.js';
import { AuxiliaryQueries } from './auxiliary-queries.js';
import { DatabaseClock } from './database-clock.js';
import { DatabaseReadiness } from './database-readiness.js';
import { PoolMetrics } from './sessions/pool-metrics.js';
import { SequenceUse } from './sequence-use.js';
import { TransactionalEvents } from './transactions/transactional-events.js';
import type { Entity } from './migrating/service-rights.js';
import { Transactions } from './transactions/transactions.js';

/** The data source of the process, and the transactions through which everything is written. */
@Module({})
export class DatabaseModule {
  /** @param poolSize connections for requests */
  static forRoot(connection: Connection, poolSize: number, entities: readonly Entity[] = []): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(connection, poolSize),
          entities: [...entities],
          // Entities of modules that are not in src/parts.ts, such as an example.
          autoLoadEntities: true,
          // No more attempts, because the database has just been migrated over a connection.
          retryAttempts: 1,
        }),
      ],
      providers: [
        { provide: CONNECTION, useValue: connection },
        AuxiliaryQueries,
        DatabaseClock,
        DatabaseReadiness,
        PoolMetrics,
        SequenceUse,
        TransactionalEvents,
        Transactions,
      ],
      exports: [
        AuxiliaryQueries,
        CONNECTION,
        DatabaseClock,
        DatabaseReadiness,
        SequenceUse,
        TransactionalEvents,
        Transactions,
      ],
    };
  }
}
