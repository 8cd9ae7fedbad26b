import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { RoleName } from './users/role-name.js';

/** The user behind a request, as the database had it when the request came. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly roles: ReadonlySet<RoleName>;
}

/** A handler's parameter that is the {@link Caller}. The guards have made sure there is one. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<Request & { user: Caller }>().user;
});
