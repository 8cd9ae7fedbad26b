/** The path of the page that lists all webhooks. */
export const WEBHOOKS_PAGE = '/console/webhooks';

/** The path of the page of a webhook. */
export const webhookPage = (id: number): string => `${WEBHOOKS_PAGE}/${id}`;

/** The path of the page of a delivery. */
export const deliveryPage = (id: number): string => `${WEBHOOKS_PAGE}/deliveries/${id}`;
