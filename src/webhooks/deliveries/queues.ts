/** The queue of the periodic job that finds endpoints with due deliveries. */
export const FIND_DUE_WEBHOOKS = 'find-due-webhooks';

/** The queue of the jobs that send what is due. There is one job for each endpoint, so a slow receiver delays no other. */
export const DELIVER_WEBHOOKS = 'deliver-webhooks';

/** Sends the due deliveries of an endpoint. */
export interface DeliverWebhooksJob {
  readonly endpointId: number;
}

/** The queue of the periodic job that deletes old deliveries. */
export const PURGE_WEBHOOK_DELIVERIES = 'purge-webhook-deliveries';
