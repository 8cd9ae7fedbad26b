import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from './caller.js';
import { ForbiddenError } from './errors.js';
import type { RoleName } from './users/role-name.js';
import { accessOf } from './route-access.js';

/** Requires the roles of a route. Refuses a route without roles. */
@Injectable()
export class RolesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const sets = accessOf(context.getHandler(), context.getClass());
    if (sets === 'public') return true;
    const { roles } = context.switchToHttp().getRequest<Request & { user: Caller }>().user;
    const missing = sets.map((set) => set.filter((role) => !roles.has(role)));
    if (missing.some((set) => set.length === 0)) return true;
    if (missing.length === 0) throw new ForbiddenError('Nobody may call this: the route names no roles.');
    throw new ForbiddenError(`Your user lacks ${missing.map((set) => name(set)).join(', or ')}.`);
  }
}

function name(roles: readonly RoleName[]): string {
  return `the role${roles.length > 1 ? 's' : ''} ${roles.join(', ')}`;
}
