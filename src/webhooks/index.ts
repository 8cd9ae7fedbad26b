export { WEBHOOK_ACTIONS } from './audit-actions.js';
export { WebhookDelivery } from './deliveries/webhook-delivery.entity.js';
export { WebhookEndpoint } from './endpoints/webhook-endpoint.entity.js';
export { webhookCommand } from './webhook.command.js';
export { WebhooksModule } from './webhooks.module.js';
