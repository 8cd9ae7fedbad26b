import { auditActions } from '../audit/index.js';

export const WEBHOOK_ACTIONS = auditActions('webhook', {
  create: 'created a webhook',
  disable: 'disabled a webhook',
  enable: 'enabled a webhook',
  rotate: 'gave a webhook a new secret',
  test: 'sent a test to a webhook',
  replay: 'sent events to a webhook again',
  gone: 'disabled a webhook whose receiver is gone',
});
