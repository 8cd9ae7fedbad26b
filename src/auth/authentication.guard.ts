import { ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import type { Caller } from './caller.js';
import { UnauthenticatedError } from './errors.js';
import { authenticationOf } from './route-access.js';
import { NotLoggedInError, SessionLogins } from './sessions/index.js';

/**
 * Requires the credentials of an active user: a session for a page, and a password or a token for any other route. Routes
 * with `@Public()` need none.
 */
@Injectable()
export class AuthenticationGuard extends AuthGuard(['basic', 'bearer']) {
  constructor(private readonly sessions: SessionLogins) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    switch (authenticationOf(context.getHandler(), context.getClass())) {
      case 'none':
        return true;
      case 'session':
        return this.bySession(context);
      case 'http':
        return (await super.canActivate(context)) as boolean;
    }
  }

  private async bySession(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & { user?: Caller }>();
    const caller = await this.sessions.callerOf(request);
    if (caller === undefined) throw new NotLoggedInError();
    request.user = caller;
    return true;
  }

  override handleRequest<TUser>(error: unknown, user: TUser | false | null | undefined): TUser {
    if (error instanceof Error) throw error;
    if (!user) throw new UnauthenticatedError();
    return user;
  }
}
