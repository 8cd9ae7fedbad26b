/** What the audit trail tells of; whoever adds something that changes the books or who may touch them adds a line. */
export const AUDIT_ACTIONS = [
  'user.create',
  'user.set-password',
  'user.set-email',
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
  'fund.create',
  'fund.close',
  'fund.open',
  'fund.default',
  'bundle.close',
  'import.begin',
  'import.end',
  'notification.retry',
  'database.migrate',
  'database.move',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
