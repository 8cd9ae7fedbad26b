import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** The connection pool for requests. TypeORM's driver for PostgreSQL has it as `master`. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
