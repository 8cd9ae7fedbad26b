declare const isAuditAction: unique symbol;

/** The name of an action in the audit trail: the kind of its subject and a verb, such as "fund.close". */
export type AuditAction = string & { readonly [isAuditAction]: true };

/**
 * Declares the actions of a part, in its file audit-actions.ts. `src/parts.ts` collects them from all parts.
 * `auditActions('fund', 'close').close` is "fund.close".
 */
export function auditActions<Verb extends string>(
  subject: string,
  ...verbs: readonly Verb[]
): Readonly<Record<Verb, AuditAction>> {
  return Object.fromEntries(verbs.map((verb) => [verb, `${subject}.${verb}`])) as Record<Verb, AuditAction>;
}
