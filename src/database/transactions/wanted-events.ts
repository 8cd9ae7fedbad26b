/**
 * SQL for whether somebody wants an event, such as an endpoint of a webhook. A frequent statement reads it along, so that
 * listeners with `@InTransactionOfWanted` cost a transaction nothing while nobody does. `is_event_wanted` is a function of the
 * database, which a migration replaces to add a condition. The answer is of the statement's snapshot, so it counts all that
 * was committed before the transaction began.
 */
export function isWanted({ eventName }: { readonly eventName: string }): string {
  return `(SELECT is_event_wanted('${eventName}'))`;
}

/** Under this name listeners of wanted events are registered. */
export function nameIfWanted(eventName: string): string {
  return `${eventName} if wanted`;
}
