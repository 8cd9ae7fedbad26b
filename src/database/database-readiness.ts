import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { readMigrationStatus } from './migrate.js';

/** Whether the database can serve this program. */
@Injectable()
export class DatabaseReadiness {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The migrations the database still lacks; rejects when it cannot be reached. */
  async pendingMigrations(): Promise<readonly string[]> {
    const { pending } = await readMigrationStatus((sql) => this.dataSource.query(sql));
    return pending;
  }
}
