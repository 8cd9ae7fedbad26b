import type { ApiGroup } from '../../http/index.js';

export const GIFTS: ApiGroup = {
  name: 'Gifts',
  description: 'Record a gift, take it back, read it back.',
  position: 1,
};

export const FINANCE: ApiGroup = {
  name: 'Finance',
  description: 'Deposits, and gifts that somebody should look at: for users with the role `Finance`.',
  position: 2,
};
