import type { ApiGroup } from '../../http/index.js';

export const DEPOSITS: ApiGroup = {
  name: 'Deposits',
  description:
    'What processors pay out: payments, without fees and what was taken back. Processors send their deposits. Users with the ' +
    'role `Finance` compare them with the bank. Users with the role `Auditor` may read.',
  position: 3,
};
