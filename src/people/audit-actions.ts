import { auditActions } from '../audit/index.js';

export const PERSON_ACTIONS = auditActions('person', {
  read: 'read a person',
  search: 'searched for people',
  create: 'added a person',
  edit: 'edited a person',
  merge: 'merged a person into another one',
});

export const CONTACT_ACTIONS = auditActions('contact', {
  list: 'read contacts',
  add: 'added a contact',
  confirm: 'confirmed a contact',
  remove: 'removed a contact',
});
