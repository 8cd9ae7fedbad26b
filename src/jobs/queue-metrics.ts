import type { Metrics } from '../metrics/index.js';
import type { QueueDatabase } from './queue-database.js';

const STATES = ['due', 'later', 'active'] as const;

type QueueRow = Readonly<Record<(typeof STATES)[number], number>> & { readonly queue: string; readonly oldest: number };

/**
 * A job's age counts from when somebody could first begin it: one that waits for its next try is not late. Jobs of queues that
 * this program does not handle have no age, because the alert on it says that no worker runs.
 */
const SELECT = `
  SELECT queue,
    count(*) FILTER (WHERE NOT is_leased AND free_at <= now())::integer AS due,
    count(*) FILTER (WHERE NOT is_leased AND free_at > now())::integer AS later,
    count(*) FILTER (WHERE is_leased)::integer AS active,
    COALESCE(extract(epoch FROM now() - min(free_at) FILTER (WHERE free_at <= now() AND queue = ANY ($1))), 0)::float8 AS oldest
  FROM (SELECT queue, greatest(due_at, leased_until) AS free_at, COALESCE(leased_until >= now(), false) AS is_leased FROM job) jobs
    FULL JOIN unnest($1::text[]) AS handled (queue) USING (queue)
  GROUP BY queue`;

/** The numbers of jobs, of every queue that this program handles or that has jobs. */
export function registerQueueMetrics(metrics: Metrics, database: QueueDatabase, handled: () => string[]): void {
  metrics.gauges(
    'queue',
    {
      offertory_queue_jobs: {
        help: 'Jobs by queue: due now, to be begun later, and active. The same on every replica',
        labelNames: ['queue', 'state'],
      },
      offertory_queue_oldest_due_seconds: {
        help: 'For how long the oldest job that nobody has begun has been due. The same on every replica',
        labelNames: ['queue'],
      },
    },
    async () => {
      const rows = await database.query<QueueRow>(SELECT, [handled()]);
      return {
        offertory_queue_jobs: rows.flatMap((row) =>
          STATES.map((state) => ({ labels: { queue: row.queue, state }, value: row[state] })),
        ),
        offertory_queue_oldest_due_seconds: rows.map(({ queue, oldest }) => ({ labels: { queue }, value: oldest })),
      };
    },
  );
}
