import { AuditEntry, AuditSeal } from './audit/index.js';
import { AUTH_ENTITIES, SESSION_ACTIONS, TOKEN_ACTIONS, USER_ACTIONS } from './auth/index.js';
import { CONTRIBUTIONS_ACTIONS, CONTRIBUTIONS_ENTITIES } from './contributions/index.js';
import { BooksEpoch, DATABASE_ACTIONS, DatabaseMode, type Entity } from './database/index.js';
import { StoredAnswer } from './idempotency/index.js';
import { Job } from './jobs/index.js';
import { Delivery, Notice, NOTIFICATION_ACTIONS } from './notifications/index.js';
import { PERSONAL_ACTIONS } from './pages/index.js';
import { CONTACT_ACTIONS, PEOPLE_ENTITIES, PERSON_ACTIONS } from './people/index.js';
import { WEBHOOK_ACTIONS, WebhookDelivery, WebhookEndpoint } from './webhooks/index.js';

/** All actions that the audit trail can record, as the parts declare them. A test names an action that is missing. */
export const AUDIT_ACTIONS: readonly string[] = [
  ...[
    USER_ACTIONS,
    TOKEN_ACTIONS,
    SESSION_ACTIONS,
    PERSONAL_ACTIONS,
    PERSON_ACTIONS,
    CONTACT_ACTIONS,
    ...CONTRIBUTIONS_ACTIONS,
    NOTIFICATION_ACTIONS,
    WEBHOOK_ACTIONS,
  ].flatMap((actions) => Object.values(actions)),
  ...DATABASE_ACTIONS,
];

/** The entities of all tables, each from the part that owns the table. A test names a table that has no entity. */
export const ENTITIES: readonly Entity[] = [
  BooksEpoch,
  DatabaseMode,
  AuditEntry,
  AuditSeal,
  Job,
  StoredAnswer,
  ...AUTH_ENTITIES,
  ...PEOPLE_ENTITIES,
  ...CONTRIBUTIONS_ENTITIES,
  Notice,
  Delivery,
  WebhookEndpoint,
  WebhookDelivery,
];
