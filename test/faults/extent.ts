const isShort = process.env['FAULTS'] === 'short';

/** The extent of the fault tests: in full, or shortened for every change (`FAULTS=short`). */
export const EXTENT = {
  /** How often the service is killed. */
  rounds: Number(process.env['FAULT_ROUNDS'] ?? (isShort ? 3 : 20)),
  /** How often the database crashes while readers follow the changes. */
  crashes: Number(process.env['FAULT_CRASHES'] ?? (isShort ? 5 : 50)),
  /** How often a replica is killed while a gift is taken back in parts, for each way to do so. */
  cutReversals: Number(process.env['FAULT_ROUNDS'] ?? (isShort ? 1 : 5)),
  /** How many payments are recorded and taken back in parts. */
  payments: Number(process.env['PAYMENTS'] ?? (isShort ? 800 : 100_000)),
  /** The seed of the random choice of crashes. */
  seed: Number(process.env['FAULT_SEED'] ?? 1),
  /** The numbers of replicas that are tested. */
  replicas: isShort ? [2] : [2, 3],
  /** How long the database is unavailable, in milliseconds. */
  outage: isShort ? 5_000 : 30_000,
  /** How long passwords are guessed from many addresses, in milliseconds. */
  guessing: isShort ? 8_000 : 60_000,
  /** How long callers are slow, in milliseconds. */
  slowness: isShort ? 3_000 : 30_000,
  /** Whether tests wait until the service disconnects callers that are slow for too long. */
  outlastsTimeouts: !isShort,
  /** How long a slow mail server takes for each command, in milliseconds. */
  slowCommand: isShort ? 1_000 : 15_000,
  /** How many notices two replicas send. */
  notices: isShort ? 100 : 1_000,
  /** How many events are sent to several webhooks. */
  webhookEvents: Number(process.env['WEBHOOK_EVENTS'] ?? (isShort ? 150 : 10_000)),
  /** How many gifts are added while readers follow the changes. */
  pushedGifts: Number(process.env['PUSHED_GIFTS'] ?? (isShort ? 300 : 100_000)),
  /** How many gifts are recorded over a database connection that is cut around its COMMITs. */
  cutGifts: Number(process.env['CUT_GIFTS'] ?? (isShort ? 120 : 1_200)),
  /** How long commits hang, in seconds; readiness gives up on a statement after 15. */
  hanging: isShort ? 4 : 18,
  /** Whether PgBouncer is tested with several settings, or with one. */
  triesPoolerSettings: !isShort,
  /** How many rows are imported. */
  importedRows: Number(process.env['IMPORT_ROWS'] ?? (isShort ? 2_000 : 100_000)),
  /** Whether tests wait for the lease of a killed process to end, or end it in the database. */
  waitsForJobs: !isShort,
};
