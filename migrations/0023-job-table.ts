import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A queue table of our own takes the place of pg-boss (ADR 36). Replicas of the release before, which work with pg-boss, may
 * run beside this release or follow it, so jobs go both ways: adopt_pgboss_jobs() takes over what they have left, and a
 * trigger gives them what nobody of this release works on. A later release drops both functions and the schema pgboss.
 */
export class JobTable0023 implements MigrationInterface {
  readonly name = 'JobTable1764288000023';

  async up(database: QueryRunner): Promise<void> {
    await database.query(JOB_TABLE);
    await database.query(ADOPT_PGBOSS_JOBS);
    await database.query(RETURN_JOBS);
    await database.query('SELECT adopt_pgboss_jobs()');
  }

  async down(database: QueryRunner): Promise<void> {
    await database.query(`
      DROP TRIGGER return_jobs ON pgboss.archive;
      DROP FUNCTION return_jobs_to_pgboss, adopt_pgboss_jobs;
      SELECT pgboss.create_queue(queue, '{"policy": "standard"}'::json)
      FROM (SELECT DISTINCT queue FROM job WHERE every_seconds IS NULL) queues;
      LOCK TABLE job IN ACCESS EXCLUSIVE MODE;
      ${moveToPgboss('every_seconds IS NULL')};
      DROP TABLE job;
    `);
  }
}

const JOB_TABLE = `
  -- A row is work that is still to be done; finished jobs are deleted.
  -- due_at: not begun before. attempts: how often it was claimed. leased_until: until then a process works on it, unless it
  -- renews the lease or finishes; null while the job waits. every_seconds: of a periodic job, which is queued again when it
  -- is finished. The id is random: one that a restore or a failover has lost is not given to another job.
  CREATE TABLE job (
    id            uuid NOT NULL DEFAULT gen_random_uuid(),
    queue         text NOT NULL,
    data          jsonb NOT NULL DEFAULT '{}',
    due_at        timestamptz NOT NULL DEFAULT now(),
    attempts      integer NOT NULL DEFAULT 0,
    leased_until  timestamptz,
    every_seconds integer,
    CONSTRAINT job_pkey PRIMARY KEY (id)
  );
  CREATE INDEX job_due_idx ON job (queue, due_at);
  CREATE UNIQUE INDEX job_one_periodic ON job (queue) WHERE every_seconds IS NOT NULL;
`;

const ADOPT_PGBOSS_JOBS = `
  -- Takes over the jobs that wait in pg-boss, and those whose process was killed: it has not renewed them within expire_in.
  -- Others are left to the process that works on them. Periodic jobs are left as well, since this release has its own.
  -- One that is queued here already only becomes due earlier: a second one would send the same mail beside it.
  CREATE FUNCTION adopt_pgboss_jobs() RETURNS void LANGUAGE sql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
    WITH left_behind AS (
      SELECT id FROM pgboss.job
      WHERE (state < 'active' OR state = 'active' AND started_on + expire_in < now()) AND singleton_on IS NULL
      FOR UPDATE SKIP LOCKED
    ), adopted AS (
      DELETE FROM pgboss.job WHERE id IN (SELECT id FROM left_behind)
      RETURNING name AS queue, COALESCE(data, '{}') AS data,
        CASE state WHEN 'created' THEN start_after ELSE least(start_after, now() + interval '300 s') END AS due_at
    ), known AS (
      UPDATE public.job SET due_at = least(job.due_at, adopted.due_at) FROM adopted
      WHERE job.queue = adopted.queue AND job.data = adopted.data
      RETURNING job.queue, job.data
    )
    INSERT INTO public.job (queue, data, due_at)
    SELECT queue, data, min(due_at) FROM adopted WHERE (queue, data) NOT IN (SELECT queue, data FROM known)
    GROUP BY queue, data
  $$;
`;

const RETURN_JOBS = `
  -- Only the release before deletes from the archive, every ten seconds. Where it runs alone again, it gets the jobs that
  -- this release has left, once nobody has begun them for a minute.
  CREATE FUNCTION return_jobs_to_pgboss() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    ${moveToPgboss(`every_seconds IS NULL AND greatest(due_at, leased_until) < now() - interval '1 minute'
      AND queue IN (SELECT name FROM pgboss.queue)`)};
    RETURN NULL;
  END $$;
  CREATE TRIGGER return_jobs AFTER DELETE ON pgboss.archive FOR EACH STATEMENT EXECUTE FUNCTION return_jobs_to_pgboss();
`;

/** Queues jobs as the release before does. */
function moveToPgboss(condition: string): string {
  return `
    WITH moved AS (
      DELETE FROM public.job WHERE id IN (SELECT id FROM public.job WHERE ${condition} FOR UPDATE SKIP LOCKED)
      RETURNING id, queue, data, due_at
    )
    INSERT INTO pgboss.job (id, name, data, start_after, retry_limit, retry_delay, retry_backoff, expire_in, keep_until, policy)
    SELECT id, queue, data, due_at, 1000000, 1, true, interval '40 s', now() + interval '365 days', 'standard' FROM moved`;
}
