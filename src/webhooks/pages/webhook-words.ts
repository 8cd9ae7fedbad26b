import type { WebhookDeliveryStatus } from '../deliveries/webhook-delivery.entity.js';
import type { WebhookStatus } from '../showing/webhook-view.js';

export const STATUS_IN_WORDS: Readonly<Record<WebhookStatus, string>> = {
  enabled: 'Enabled',
  disabled: 'Disabled',
  gone: 'Ended by its receiver',
};

export const DELIVERY_STATUS_IN_WORDS: Readonly<Record<WebhookDeliveryStatus, string>> = {
  pending: 'Waits',
  delivered: 'Delivered',
  failed: 'Given up',
};
