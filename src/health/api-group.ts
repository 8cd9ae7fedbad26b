import type { ApiGroup } from '../http/index.js';

export const HEALTH: ApiGroup = {
  name: 'Health',
  description: 'For load balancers and container engines, without credentials; and what needs attention, for Finance.',
  position: 7,
};
