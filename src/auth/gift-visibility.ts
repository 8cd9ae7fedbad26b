import type { CustomDecorator } from '@nestjs/common';
import type { Caller } from './caller.js';
import { AnyRoles } from './route-access.js';

/** Opens a route to users who may read all gifts or their own gifts (contract, "Roles"). */
export const ReadsGifts = (): CustomDecorator => AnyRoles(['Developer', 'APIOnly'], ['Finance']);

/**
 * The id of the user whose gifts a caller may see, or undefined for the gifts of all users. Finance sees all gifts.
 * Other users see the gifts they added, with their reversals.
 */
export function visibleGiftsOf(caller: Caller): number | undefined {
  return caller.roles.has('Finance') ? undefined : caller.userId;
}
