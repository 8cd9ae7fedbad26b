const isShort = process.env['FAULTS'] === 'short';

/** How far the fault tests go: all the way, or as far as there is time for on every change (`FAULTS=short`). */
export const EXTENT = {
  /** How often the service is killed. */
  rounds: Number(process.env['FAULT_ROUNDS'] ?? (isShort ? 3 : 20)),
  /** How often the database crashes while somebody reads along. */
  crashes: Number(process.env['FAULT_CRASHES'] ?? (isShort ? 5 : 50)),
  /** By which the crashes are chosen. */
  seed: Number(process.env['FAULT_SEED'] ?? 1),
  /** How many replicas are tried together. */
  replicas: isShort ? [2] : [2, 3],
  /** How long the database is away, in milliseconds. */
  outage: isShort ? 5_000 : 30_000,
  /** How long callers are slow, in milliseconds. */
  slowness: isShort ? 3_000 : 30_000,
  /** Whether it is waited until the service gives up callers that are slow for too long. */
  outlastsTimeouts: !isShort,
  /** How long a slow mail server takes for each command, in milliseconds. */
  slowCommand: isShort ? 1_000 : 15_000,
  /** How many notices two replicas send. */
  notices: isShort ? 100 : 1_000,
  /** How many gifts are pushed while somebody reads along. */
  pushedGifts: Number(process.env['PUSHED_GIFTS'] ?? (isShort ? 300 : 100_000)),
  /** How many gifts are recorded over a database connection that is cut around its COMMITs. */
  cutGifts: Number(process.env['CUT_GIFTS'] ?? (isShort ? 120 : 1_200)),
  /** How long commits hang, in seconds; readiness gives up a statement after 15. */
  hanging: isShort ? 4 : 18,
  /** Whether PgBouncer is tried with several settings, or with one. */
  triesPoolerSettings: !isShort,
  /** How many rows are imported. */
  importedRows: Number(process.env['IMPORT_ROWS'] ?? (isShort ? 2_000 : 100_000)),
  /** Whether a job whose process was killed is waited for, or its minute is let pass in the database. */
  waitsForJobs: !isShort,
};
