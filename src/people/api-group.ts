import type { ApiGroup } from '../http/index.js';

export const PEOPLE: ApiGroup = {
  name: 'People',
  description: 'The people who give, and their contacts, for users with the role `Finance`. Auditors may read.',
  position: 4,
};
