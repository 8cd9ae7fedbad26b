import type { Metrics } from '../metrics/index.js';
import type { QueueDatabase } from './queue-database.js';

interface QueueRow {
  readonly queue: string;
  readonly due: number;
  readonly later: number;
  readonly active: number;
  readonly oldest: number;
}

/** A job's age counts from when it was due: one that waits for its next try has done nothing wrong yet. */
const SELECT = `
  SELECT q.name AS queue,
    count(*) FILTER (WHERE j.state < 'active' AND j.start_after <= now())::integer AS due,
    count(*) FILTER (WHERE j.state < 'active' AND j.start_after > now())::integer AS later,
    count(*) FILTER (WHERE j.state = 'active')::integer AS active,
    COALESCE(extract(epoch FROM now() - min(j.start_after) FILTER (WHERE j.state < 'active' AND j.start_after <= now())), 0)::float8
      AS oldest
  FROM pgboss.queue q LEFT JOIN pgboss.job j ON j.name = q.name AND j.state <= 'active'
  GROUP BY q.name`;

/** What waits in the queues, and the connections by which it is worked on. */
export function handInQueueFigures(metrics: Metrics, database: QueueDatabase): void {
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
      const rows = (await database.executeSql(SELECT)).rows as QueueRow[];
      return {
        offertory_queue_jobs: rows.flatMap(({ queue, ...counts }) =>
          (['due', 'later', 'active'] as const).map((state) => ({ labels: { queue, state }, value: counts[state] })),
        ),
        offertory_queue_oldest_due_seconds: rows.map(({ queue, oldest }) => ({ labels: { queue }, value: oldest })),
      };
    },
  );
}
