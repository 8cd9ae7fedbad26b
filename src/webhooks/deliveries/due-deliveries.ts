import type { EntityManager } from 'typeorm';
import { prepared, sqlRow, sqlRows } from '../../database/index.js';
import type { Message } from '../sending/signed-message.js';
import type { WebhookDeliveryStatus } from './webhook-delivery.entity.js';

/** How many deliveries of an endpoint are sent at the same time. */
export const SENT_TOGETHER = 20;

/** How many deliveries of disabled endpoints one statement gives up. */
const GIVEN_UP_TOGETHER = 1_000;

/** A delivery that is due. */
export interface DueDelivery extends Message {
  readonly id: number;
  /** The attempts since it was queued or last replayed. */
  readonly tries: number;
}

/** An enabled endpoint, with some of the deliveries that are due. */
export interface DueEndpoint {
  readonly url: string;
  /** All that sign: the present one first. */
  readonly secrets: readonly string[];
  readonly deliveries: readonly DueDelivery[];
}

/** The result of an attempt, as it is stored. */
export interface RecordedAttempt {
  /** Of the delivery. */
  readonly id: number;
  readonly outcome: WebhookDeliveryStatus;
  readonly httpStatus: number | null;
  readonly error: string | null;
  /** Seconds until the next attempt; null if there is none. */
  readonly wait: number | null;
}

const IS_DUE = "d.status = 'pending' AND d.next_try_at <= now()";

/** Finds endpoints with work to do. Each is looked up in the index of due deliveries, so their number does not matter. */
export const SELECT_ENDPOINTS_WITH_WORK = prepared(`
  SELECT e.id, e.disabled_at IS NULL AS "isEnabled" FROM webhook_endpoint e
  WHERE EXISTS (
    SELECT FROM webhook_delivery d
    WHERE d.endpoint_id = e.id AND d.status = 'pending' AND (d.next_try_at <= now() OR e.disabled_at IS NOT NULL))
  ORDER BY e.id`);

/** A row of {@link SELECT_ENDPOINTS_WITH_WORK}. */
export interface EndpointWithWork {
  readonly id: number;
  /** Its due deliveries are to be sent. Those of a disabled one are to be given up. */
  readonly isEnabled: boolean;
}

const SELECT_ENDPOINT = prepared(`
  SELECT url, array_remove(ARRAY[secret, CASE WHEN former_secret_until > now() THEN former_secret END], NULL) AS secrets
  FROM webhook_endpoint WHERE id = $1 AND disabled_at IS NULL`);

const SELECT_DELIVERIES = prepared(`
  SELECT d.id, d.message_id AS "messageId", d.type, d.occurred_at AS "occurredAt", d.data,
    d.attempts - d.attempts_before AS tries
  FROM webhook_delivery d WHERE d.endpoint_id = $1 AND ${IS_DUE}
  ORDER BY d.next_try_at LIMIT ${SENT_TOGETHER}`);

/**
 * A success is always recorded. A failure does not change what somebody else has recorded meanwhile: another process that works
 * on the same job because this one was not heard of, or the end of a disabled endpoint.
 */
const RECORD = prepared(`
  UPDATE webhook_delivery d
  SET status = tried.outcome, attempts = attempts + 1, last_try_at = now(), last_status = tried.http_status,
    last_error = tried.error, next_try_at = now() + make_interval(secs => tried.wait),
    settled_at = CASE WHEN tried.outcome <> 'pending' THEN now() END
  FROM unnest($1::integer[], $2::text[], $3::integer[], $4::text[], $5::float8[])
    AS tried (id, outcome, http_status, error, wait)
  WHERE d.id = tried.id AND (d.status = 'pending' OR d.status = 'failed' AND tried.outcome = 'delivered')`);

const GIVE_UP = `
  UPDATE webhook_delivery SET status = 'failed', settled_at = now(), next_try_at = NULL,
    last_error = COALESCE(last_error, 'The webhook is disabled.')
  WHERE id = ANY (ARRAY(
    SELECT d.id FROM webhook_endpoint e JOIN webhook_delivery d ON d.endpoint_id = e.id
    WHERE e.disabled_at IS NOT NULL AND d.status = 'pending'
    LIMIT ${GIVEN_UP_TOGETHER} FOR UPDATE OF d SKIP LOCKED))
  RETURNING id`;

/** Reads an endpoint and the deliveries that are due first. @returns undefined if it is disabled or nothing is due. */
export async function readDue(tx: EntityManager, endpointId: number): Promise<DueEndpoint | undefined> {
  const endpoint = await sqlRow<Omit<DueEndpoint, 'deliveries'>>(tx, SELECT_ENDPOINT, [endpointId]);
  if (endpoint === undefined) return undefined;
  const deliveries = await sqlRows<DueDelivery>(tx, SELECT_DELIVERIES, [endpointId]);
  return deliveries.length === 0 ? undefined : { ...endpoint, deliveries };
}

/** Stores the results of attempts. */
export async function recordAttempts(tx: EntityManager, attempts: readonly RecordedAttempt[]): Promise<void> {
  await sqlRows(tx, RECORD, [
    attempts.map(({ id }) => id),
    attempts.map(({ outcome }) => outcome),
    attempts.map(({ httpStatus }) => httpStatus),
    attempts.map(({ error }) => error),
    attempts.map(({ wait }) => wait),
  ]);
}

/** Gives up some of the pending deliveries of disabled endpoints. @returns whether there may be more. */
export async function giveUpOfDisabled(tx: EntityManager): Promise<boolean> {
  return (await sqlRows(tx, GIVE_UP)).length === GIVEN_UP_TOGETHER;
}
