import type { DatabaseSettings } from '../config/index.js';
import type { Connection } from './sessions/connection.js';

/** The database of this process, whichever it is. */
export interface OpenDatabase {
  readonly connection: Connection;
  /** By which the schema is changed: as the owner of the tables, where that is somebody else. */
  readonly ownerConnection: Connection;
  /** True for the PostgreSQL under `DATA_DIR` that this program brings along. */
  readonly embedded: boolean;
  /** Lets go of it; the embedded server stops when nobody else uses it. */
  close(): Promise<void>;
}

/** Opens the database of the configuration for the time of one command, and hands over where it is kept. */
export type WithDatabase = (
  work: (opened: OpenDatabase, configuration: { readonly database: DatabaseSettings }) => Promise<void>,
) => Promise<void>;
