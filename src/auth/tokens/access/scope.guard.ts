import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Query } from '../../../http/index.js';
import type { Caller } from '../../caller.js';
import { scopeFor } from '../../route-access.js';
import { MissingScopeError } from '../errors.js';

/** Requires the scope of a route if the caller used a token. */
@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: Caller }>();
    const scopes = request.user?.token?.scopes;
    if (scopes === undefined) return true;
    const scope = scopeFor(context.getHandler(), () => request.query as Query);
    if (scope === undefined || !scopes.has(scope)) throw new MissingScopeError(scope);
    return true;
  }
}
