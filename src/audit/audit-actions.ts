/** What the audit trail tells of; whoever adds something that changes the books or who may touch them adds a line. */
export const AUDIT_ACTIONS = [
  'user.create',
  'user.set-password',
  'user.enable',
  'user.disable',
  'user.grant',
  'user.revoke',
  'person.edit',
  'person.merge',
  'contact.confirm',
  'contact.remove',
  'contribution.reverse',
  'contribution.reassign',
  'review.accept',
  'notification.retry',
  'database.migrate',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
