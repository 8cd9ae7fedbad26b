import { MEANING_OF_DATABASE_ACTIONS } from '../database/index.js';

declare const isAuditAction: unique symbol;

/** The name of an action in the audit trail: the kind of its subject and a verb, such as "fund.close". */
export type AuditAction = string & { readonly [isAuditAction]: true };

/** What each declared action means. */
const meanings = new Map(Object.entries(MEANING_OF_DATABASE_ACTIONS));

/**
 * Declares the actions of a part, in its file audit-actions.ts. `src/parts.ts` collects them from all parts.
 * `auditActions('fund', { close: 'closed a fund' }).close` is "fund.close". The text completes the sentence that begins
 * with the actor.
 */
export function auditActions<Verb extends string>(
  subject: string,
  meaningOfVerbs: Readonly<Record<Verb, string>>,
): Readonly<Record<Verb, AuditAction>> {
  const actions = Object.entries<string>(meaningOfVerbs).map(([verb, meaning]) => {
    const action = `${subject}.${verb}`;
    meanings.set(action, meaning);
    return [verb, action];
  });
  return Object.fromEntries(actions) as Readonly<Record<Verb, AuditAction>>;
}

/** What an action means, as the end of a sentence about its actor. An action that no part declares any more is in its own words. */
export function meaningOfAction(action: string): string {
  return meanings.get(action) ?? action.replace('.', ': ').replaceAll('-', ' ');
}

/** All declared actions with their meanings, in the order of the alphabet. */
export function actionsWithMeanings(): readonly (readonly [action: string, meaning: string])[] {
  return [...meanings].sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}
