import { auditActions } from '../audit/index.js';

export const PERSON_ACTIONS = auditActions('person', 'edit', 'merge');

export const CONTACT_ACTIONS = auditActions('contact', 'confirm', 'remove');
