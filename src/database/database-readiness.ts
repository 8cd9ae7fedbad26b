import { Injectable } from '@nestjs/common';
import { readMigrationStatus } from './migrate.js';
import { Transactions } from './transactions.js';

/** Whether the database can serve this program. */
@Injectable()
export class DatabaseReadiness {
  constructor(private readonly transactions: Transactions) {}

  /** The migrations the database still lacks; rejects when it cannot be reached. */
  async pendingMigrations(): Promise<readonly string[]> {
    const { pending } = await readMigrationStatus((sql) => this.transactions.query(sql));
    return pending;
  }
}
