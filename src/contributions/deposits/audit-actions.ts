import { auditActions } from '../../audit/index.js';

export const DEPOSIT_ACTIONS = auditActions('deposit', {
  add: 'added a deposit, or items to it',
  find: 'found in the books what a deposit had named',
  remove: 'removed items from a deposit',
  adjust: 'adjusted a deposit',
  bank: 'entered what the bank says of a deposit',
  'withdraw-bank': 'withdrew what the bank says of a deposit',
  reconcile: 'reconciled a deposit',
  read: 'read a deposit',
  compare: 'read what no deposit holds',
});
