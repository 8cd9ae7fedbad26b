import type { ApiGroup } from '../http/index.js';

export const CHANGES: ApiGroup = {
  name: 'Changes',
  description: 'The audit trail: who did what, for users with the role `Finance`. Auditors may read.',
  position: 5,
};
