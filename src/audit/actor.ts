/**
 * Who acts: the name of a user who calls the API, {@link COMMAND_LINE} for the account that runs this process, or a user on
 * a page of the console.
 */
export type Actor = string | PageActor;

/** A user who acts on a page of the console. */
export interface PageActor {
  /** The user's name. */
  readonly onPage: string;
}

/** The name of the user, or COMMAND_LINE. */
export function nameOf(actor: Actor): string {
  return typeof actor === 'string' ? actor : actor.onPage;
}
