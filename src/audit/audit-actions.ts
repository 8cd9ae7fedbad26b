declare const isAuditAction: unique symbol;

/** The name of something that the audit trail records: what it is done to, and what is done, "fund.close". */
export type AuditAction = string & { readonly [isAuditAction]: true };

/**
 * Declares the actions of a part, in its file audit-actions.ts; `src/parts.ts` puts all of them together.
 * `auditActions('fund', 'close').close` is "fund.close".
 */
export function auditActions<Verb extends string>(
  subject: string,
  ...verbs: readonly Verb[]
): Readonly<Record<Verb, AuditAction>> {
  return Object.fromEntries(verbs.map((verb) => [verb, `${subject}.${verb}`])) as Record<Verb, AuditAction>;
}
