import type { ApiGroup } from '../http/index.js';

export const NOTICES: ApiGroup = {
  name: 'Notices',
  description: 'The notices of reversals to Finance, and whether each recipient got them.',
  position: 6,
};
