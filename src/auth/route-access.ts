import { CustomDecorator, SetMetadata } from '@nestjs/common';
import type { RoleName } from './users/role-name.js';

/** Metadata of a route without authentication. */
const PUBLIC = 'access:public';
/** Metadata of a route: sets of roles, of which a caller must hold one set in full. */
const ROLE_SETS = 'access:roles';

/** Opens a route to everybody. A route without this and without roles is refused. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC, true);

/** The caller must hold all of these roles. */
export const Roles = (...roles: readonly RoleName[]): CustomDecorator => SetMetadata(ROLE_SETS, [roles]);

/** The caller must hold all roles of at least one of these sets. */
export const AnyRoles = (...sets: readonly (readonly RoleName[])[]): CustomDecorator => SetMetadata(ROLE_SETS, sets);

/** Who may call a route: everybody, or users with all roles of at least one of these sets. */
type Access = 'public' | readonly (readonly RoleName[])[];

/** A cache by handler and controller. Decorators run once, so entries never change. */
const known = new WeakMap<object, WeakMap<object, Access>>();

/** Who may call a route, according to its decorators. */
export function accessOf(handler: object, controller: object): Access {
  const ofHandler = known.get(handler) ?? new WeakMap<object, Access>();
  known.set(handler, ofHandler);
  const access = ofHandler.get(controller) ?? readAccess(handler, controller);
  ofHandler.set(controller, access);
  return access;
}

function readAccess(handler: object, controller: object): Access {
  const find = (key: string): unknown =>
    [handler, controller]
      .map((place) => Reflect.getMetadata(key, place) as unknown)
      .find((found) => found !== undefined);
  return find(PUBLIC) === true ? 'public' : ((find(ROLE_SETS) ?? []) as readonly (readonly RoleName[])[]);
}
