import type { CustomDecorator } from '@nestjs/common';
import type { Caller } from './caller.js';
import { AnyRoles } from './route-access.js';

/** Opens a route to all who may read gifts, whether all of them or their own (contract, "Roles"). */
export const ReadsGifts = (): CustomDecorator => AnyRoles(['Developer', 'APIOnly'], ['Finance']);

/**
 * Whose gifts a caller may see: the id of the only user, or undefined for everybody's. Finance sees all gifts. Others see the
 * gifts they added, with their reversals.
 */
export function visibleGiftsOf(caller: Caller): number | undefined {
  return caller.roles.has('Finance') ? undefined : caller.userId;
}
