import { ExecutionContext, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { UnauthenticatedError } from './errors.js';
import { accessOf } from './route-access.js';

/** Requires the credentials of an active user, a password or a token, except for routes with `@Public()`. */
@Injectable()
export class AuthenticationGuard extends AuthGuard(['basic', 'bearer']) {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (accessOf(context.getHandler(), context.getClass()) === 'public') return true;
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<TUser>(error: unknown, user: TUser | false | null | undefined): TUser {
    if (error instanceof Error) throw error;
    if (!user) throw new UnauthenticatedError();
    return user;
  }
}
