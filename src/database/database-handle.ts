import type { DatabaseSettings, Mode } from '../config/index.js';
import type { Connection } from './sessions/connection.js';

/** The open database of this process. */
export interface DatabaseHandle {
  readonly connection: Connection;
  /** Connects as the owner of the tables, to change the schema. May be the same as `connection`. */
  readonly ownerConnection: Connection;
  /** True for the embedded PostgreSQL under `DATA_DIR`. */
  readonly embedded: boolean;
  /** Closes the database. The embedded server stops when no other process uses it. */
  close(): Promise<void>;
}

/** Opens the configured database while `work` runs. */
export type WithDatabase = (
  work: (
    opened: DatabaseHandle,
    configuration: { readonly database: DatabaseSettings; readonly mode: Mode },
  ) => Promise<void>,
) => Promise<void>;
