import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../database/index.js';
import type { EventType } from '../endpoints/event-types.js';

/** What happened, for endpoints. */
interface EventToQueue {
  readonly type: EventType;
  /** Ids only. */
  readonly data: object;
  /** Whose it is: the user who added the gift or sent the deposit; null if it is of the whole church. */
  readonly username: string | null;
}

/** An endpoint of a user receives only the events of this user, and none while the user is disabled. */
const QUEUE = prepared(`
  INSERT INTO webhook_delivery (endpoint_id, message_id, type, data, next_try_at)
  SELECT e.id, gen_random_uuid(), $1, $2, now()
  FROM webhook_endpoint e LEFT JOIN app_user u ON u.id = e.user_id
  WHERE e.disabled_at IS NULL AND $1 = ANY (e.events) AND (e.user_id IS NULL OR u.active AND u.username = $3)
  ORDER BY e.id`);

/** Queues an event for each enabled endpoint that has chosen its type and may see it. */
export async function queueEvent(tx: EntityManager, { type, data, username }: EventToQueue): Promise<void> {
  await sqlRows(tx, QUEUE, [type, JSON.stringify(data), username]);
}
