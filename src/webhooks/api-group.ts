import type { ApiGroup } from '../http/index.js';

export const WEBHOOKS: ApiGroup = {
  name: 'Webhooks',
  description: 'Endpoints that receive messages about events in the books, and the delivery of each message.',
  position: 8,
};
