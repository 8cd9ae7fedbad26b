import type { Request } from 'express';

/** A person who has logged in to the console, as the guard of sessions has set it on the request. */
export interface Visitor {
  readonly username: string;
  readonly roles: ReadonlySet<string>;
  readonly session?: { readonly formToken: string };
}

/** The person who asks for a page; undefined if nobody has logged in. */
export function visitorOf(request: Request): Visitor | undefined {
  return (request as unknown as { readonly user?: Visitor }).user;
}
