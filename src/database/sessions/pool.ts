import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

/** The connections for requests. TypeORM's driver for PostgreSQL keeps them under this name. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
