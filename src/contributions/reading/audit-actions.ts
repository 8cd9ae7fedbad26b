import { auditActions } from '../../audit/index.js';

export const READING_ACTIONS = auditActions('contribution', {
  read: 'read a gift',
  list: 'read a list of gifts',
  search: 'searched for gifts',
  export: 'exported the gifts that a search found',
});
