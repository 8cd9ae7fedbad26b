import { USER_ACTIONS } from './auth/index.js';
import { CONTRIBUTIONS_ACTIONS } from './contributions/index.js';
import { DATABASE_ACTIONS } from './database/index.js';
import { NOTIFICATION_ACTIONS } from './notifications/index.js';
import { CONTACT_ACTIONS, PERSON_ACTIONS } from './people/index.js';

/** All actions that the audit trail can record, as the parts declare them. A test names one that is missing here. */
export const AUDIT_ACTIONS: readonly string[] = [
  ...[USER_ACTIONS, PERSON_ACTIONS, CONTACT_ACTIONS, ...CONTRIBUTIONS_ACTIONS, NOTIFICATION_ACTIONS].flatMap(
    (actions) => Object.values(actions),
  ),
  ...DATABASE_ACTIONS,
];
