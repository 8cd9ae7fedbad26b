import type { EntityManager } from 'typeorm';
import { sqlRow } from '../../database/index.js';
import { GIVEN_UP } from '../showing/webhook-rows.js';

/** What Finance should look at. */
export interface WebhookTroubles {
  /** Enabled endpoints with deliveries that were given up in the last ten days. */
  readonly failing: number;
  /** Endpoints that their receivers have ended in the last ten days, and that nobody has disabled or enabled since. */
  readonly gone: number;
  /** Enabled endpoints with deliveries that have failed and have another attempt. */
  readonly waiting: number;
  readonly enabled: number;
}

/** How long a trouble is shown, in days. */
const SHOWN_DAYS = 10;

const recently = (column: string): string => `${column} > now() - make_interval(days => ${SHOWN_DAYS})`;

const SELECT = `
  SELECT
    count(*) FILTER (WHERE disabled_at IS NULL AND EXISTS (
      SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id AND ${GIVEN_UP} AND ${recently('d.settled_at')}))::integer
      AS failing,
    count(*) FILTER (WHERE disabled_by IS NULL AND ${recently('disabled_at')})::integer AS gone,
    count(*) FILTER (WHERE disabled_at IS NULL AND EXISTS (
      SELECT FROM webhook_delivery d WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.attempts > d.attempts_before
    ))::integer AS waiting,
    count(*) FILTER (WHERE disabled_at IS NULL)::integer AS enabled
  FROM webhook_endpoint e`;

/** Counts the endpoints that need attention. */
export async function countTroubles(tx: EntityManager): Promise<WebhookTroubles> {
  const troubles = await sqlRow<WebhookTroubles>(tx, SELECT);
  if (troubles === undefined) throw new Error('An aggregate returned no row');
  return troubles;
}
