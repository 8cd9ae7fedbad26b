import { MEANING_OF_DATABASE_ACTIONS } from '../database/index.js';

declare const isAuditAction: unique symbol;

/** The name of an action in the audit trail: the kind of its subject and a verb, such as "fund.close". */
export type AuditAction = string & { readonly [isAuditAction]: true };

/** What each declared action means. */
const meanings = new Map(Object.entries(MEANING_OF_DATABASE_ACTIONS));

/**
 * Declares the actions of a part, in its file audit-actions.ts. `src/parts.ts` collects them from all parts.
 * `auditActions('fund', { close: 'closed a fund' }).close` is "fund.close". The text completes the sentence that begins
 * with the actor. A list of verbs without texts is also possible; then the words of the name are shown.
 */
export function auditActions<Verb extends string>(
  subject: string,
  meaningOfVerbs: Readonly<Record<Verb, string>>,
): Readonly<Record<Verb, AuditAction>>;
export function auditActions<Verb extends string>(
  subject: string,
  ...verbs: readonly Verb[]
): Readonly<Record<Verb, AuditAction>>;
export function auditActions(
  subject: string,
  ...declared: readonly (string | Readonly<Record<string, string>>)[]
): Readonly<Record<string, AuditAction>> {
  const verbs = declared.flatMap((one): [verb: string, meaning?: string][] =>
    typeof one === 'string' ? [[one]] : Object.entries(one),
  );
  return Object.fromEntries(
    verbs.map(([verb, meaning]) => {
      const action = `${subject}.${verb}`;
      if (meaning !== undefined) meanings.set(action, meaning);
      return [verb, action as AuditAction];
    }),
  );
}

/** What an action means, as the end of a sentence about its actor. An action that no part declares any more is in its own words. */
export function meaningOfAction(action: string): string {
  return meanings.get(action) ?? action.replace('.', ': ').replaceAll('-', ' ');
}
