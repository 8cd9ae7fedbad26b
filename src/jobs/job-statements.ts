import { prepared } from '../database/index.js';

/** For how long a job belongs to the process that claimed it, unless it renews the lease. */
export const LEASE_SECONDS = 40;

/** A job is tried again 1 s after its first fault, then after 2 s, 4 s and so on, but never later than this. */
const LONGEST_RETRY_SECONDS = 300;

const LEASE_END = `now() + interval '${LEASE_SECONDS} s'`;

/** A job that was claimed. Each claim counts an attempt, so id and attempts tell one claim from all others. */
export interface ClaimedJob {
  readonly id: string;
  readonly attempts: number;
  readonly data: object;
}

const HELD = 'id = $1 AND attempts = $2 AND leased_until IS NOT NULL';

/** $1 queue, $2 data, $3 seconds until it is due */
export const ENQUEUE = prepared(
  'INSERT INTO job (queue, data, due_at) VALUES ($1, $2, now() + make_interval(secs => $3))',
);

/** $1 queue, $2 seconds: a queue has one periodic job, of which this is the first or the one that waits. */
export const SCHEDULE = `
  INSERT INTO job (queue, every_seconds) VALUES ($1, $2)
  ON CONFLICT (queue) WHERE every_seconds IS NOT NULL DO UPDATE SET every_seconds = excluded.every_seconds`;

/** $1 queue, $2 how many. The job of a killed process is due again as soon as its lease has ended. */
export const CLAIM = `
  UPDATE job SET attempts = attempts + 1, leased_until = ${LEASE_END}
  WHERE id = ANY (ARRAY(
    SELECT id FROM job WHERE queue = $1 AND due_at <= now() AND (leased_until IS NULL OR leased_until < now())
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING id, attempts, data`;

/** $1 id, $2 attempts. No row: the job is another process's, or done. */
export const RENEW = `UPDATE job SET leased_until = ${LEASE_END} WHERE ${HELD} RETURNING id`;

/** $1 id, $2 attempts */
export const GIVE_BACK = `
  UPDATE job SET leased_until = NULL,
    due_at = now() + interval '1 s' * least(2 ^ least(attempts - 1, 16), ${LONGEST_RETRY_SECONDS})
  WHERE ${HELD}`;

/** $1 id, $2 attempts. A finished job is deleted; a periodic one is replaced by the next. */
export const COMPLETE = `
  WITH done AS (DELETE FROM job WHERE ${HELD} RETURNING queue, every_seconds),
  next AS (
    INSERT INTO job (queue, every_seconds, due_at)
    SELECT queue, every_seconds, now() + make_interval(secs => every_seconds) FROM done WHERE every_seconds IS NOT NULL)
  SELECT FROM done`;

/** $1 queue, $2 data. A job that is being worked on was due already. */
export const HASTEN = `
  WITH hastened AS (
    UPDATE job SET due_at = least(due_at, now()) WHERE queue = $1 AND data = ANY ($2::jsonb[]) RETURNING data)
  SELECT data FROM hastened
  UNION SELECT data FROM pgboss.job WHERE name = $1 AND state = 'active' AND data = ANY ($2::jsonb[])`;

/** Takes over what replicas of the release before have queued and left; see ADR 36. To be dropped in the next release. */
export const ADOPT_PGBOSS_JOBS = 'SELECT adopt_pgboss_jobs()';
