import type { CustomDecorator } from '@nestjs/common';
import type { Caller } from './caller.js';
import { AnyRoles } from './route-access.js';
import { BOOK_READERS } from './users/role-name.js';

const READERS = BOOK_READERS.map((role) => [role]);

/** Opens a route under /Api to users who may read everything: Finance and auditors. */
export const ReadsBooks = (): CustomDecorator => AnyRoles(...READERS);

/** Opens a route to users who may read all gifts or their own gifts (contract, "Roles"). */
export const ReadsGifts = (): CustomDecorator => AnyRoles(['Developer', 'APIOnly'], ...READERS);

/**
 * The id of the user whose gifts a caller may see, or undefined for the gifts of all users. Finance and auditors see all
 * gifts. Other users see the gifts they added, with their reversals.
 */
export function visibleGiftsOf(caller: Caller): number | undefined {
  return BOOK_READERS.some((role) => caller.roles.has(role)) ? undefined : caller.userId;
}
