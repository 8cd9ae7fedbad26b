import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { RoleName } from './users/role-name.js';

/** The authenticated user of a request, as read from the database for this request. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly roles: ReadonlySet<RoleName>;
}

/** Injects the {@link Caller} into a parameter of a handler. The guards ensure that there is one. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<Request & { user: Caller }>().user;
});
