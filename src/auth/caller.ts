import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Actor } from '../audit/index.js';
import type { TokenScope } from './tokens/parsing/token-scope.js';
import type { RoleName } from './users/role-name.js';

/** The authenticated user of a request, as read from the database for this request. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly roles: ReadonlySet<RoleName>;
  /** The token that the caller used in place of the user's password. */
  readonly token?: { readonly id: number; readonly scopes: ReadonlySet<TokenScope> };
  /** The session of a caller who has logged in to the console. */
  readonly session?: { readonly id: number; readonly formToken: string };
}

/** The caller in the audit trail: on a page with a session, otherwise by a call of the API. */
export function actorOf({ username, session }: Pick<Caller, 'username' | 'session'>): Actor {
  return session === undefined ? username : { onPage: username };
}

/** Injects the {@link Caller} into a parameter of a handler. The guards ensure that there is one. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<Request & { user: Caller }>().user;
});
