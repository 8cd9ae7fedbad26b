import { auditActions } from '../../audit/index.js';

export const SESSION_ACTIONS = auditActions('session', {
  begin: 'logged in to the console',
  end: 'logged out of the console, or ended a session',
  refused: 'was refused at the login of the console',
});
