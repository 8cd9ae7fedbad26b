import type { AppModule } from '../src/app.module.js';
import type { APP_OPTIONS, setUpApp } from '../src/app.setup.js';
import type { processActor } from '../src/audit/index.js';
import type { generatePassword, UserAccounts } from '../src/auth/index.js';
import type { readConfiguration } from '../src/config/index.js';
import type { DatabaseClock, migrateDatabase, Transactions } from '../src/database/index.js';
import type { defaultDataDir, openConfiguredDatabase } from '../src/embedded-postgres/index.js';
import type { PrototypedExpressAdapter } from '../src/http/index.js';
import type { JobQueue } from '../src/jobs/index.js';
import type { ENTITIES } from '../src/parts.js';
import type { stopRequests } from '../src/process/index.js';
import type { startService } from '../src/start-service.js';

/** The parts of the program that the demo uses. */
export interface Program {
  readonly APP_OPTIONS: typeof APP_OPTIONS;
  readonly AppModule: typeof AppModule;
  readonly DatabaseClock: typeof DatabaseClock;
  readonly defaultDataDir: typeof defaultDataDir;
  readonly ENTITIES: typeof ENTITIES;
  readonly generatePassword: typeof generatePassword;
  readonly JobQueue: typeof JobQueue;
  readonly migrateDatabase: typeof migrateDatabase;
  readonly openConfiguredDatabase: typeof openConfiguredDatabase;
  readonly processActor: typeof processActor;
  readonly PrototypedExpressAdapter: typeof PrototypedExpressAdapter;
  readonly readConfiguration: typeof readConfiguration;
  readonly setUpApp: typeof setUpApp;
  readonly startService: typeof startService;
  readonly stopRequests: typeof stopRequests;
  readonly Transactions: typeof Transactions;
  readonly UserAccounts: typeof UserAccounts;
}

const FILES = [
  'app.module.js',
  'app.setup.js',
  'audit/index.js',
  'auth/index.js',
  'config/index.js',
  'database/index.js',
  'embedded-postgres/index.js',
  'http/index.js',
  'jobs/index.js',
  'parts.js',
  'process/index.js',
  'start-service.js',
];

/** Imports compiled files, because the program needs decorator metadata, which tsx does not emit. */
export async function loadProgram(): Promise<Program> {
  const root = new URL('../dist/src/', import.meta.url);
  const parts = await Promise.all(FILES.map(async (file) => (await import(new URL(file, root).href)) as object));
  return Object.assign({}, ...parts) as Program;
}
