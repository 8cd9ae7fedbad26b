import type { ApiGroup } from '../http/index.js';

export const WEBHOOKS: ApiGroup = {
  name: 'Webhooks',
  description: 'Endpoints that are told what happens in the books, and what became of each event.',
  position: 8,
};
