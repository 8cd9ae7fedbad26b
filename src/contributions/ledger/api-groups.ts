import type { ApiGroup } from '../../http/index.js';

export const GIFTS: ApiGroup = {
  name: 'Gifts',
  description: 'Record, reverse and read gifts.',
  position: 1,
};

export const FINANCE: ApiGroup = {
  name: 'Finance',
  description:
    'Bundles, reviews and givers, for users with the role `Finance`. Users with the role `Auditor` may read.',
  position: 2,
};
