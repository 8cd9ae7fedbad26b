import { auditActions } from '../audit/index.js';

export const PERSON_ACTIONS = auditActions('person', 'read', 'search', 'edit', 'merge');

export const CONTACT_ACTIONS = auditActions('contact', 'list', 'confirm', 'remove');
