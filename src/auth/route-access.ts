import { CustomDecorator, SetMetadata } from '@nestjs/common';
import type { RoleName } from './users/role-name.js';

/** Metadata of a route: nobody is asked who they are. */
const PUBLIC = 'access:public';
/** Metadata of a route: sets of roles, of which a caller must hold one set in full. */
const ROLE_SETS = 'access:roles';

/** Opens a route to everybody. Without this and without roles a route is refused. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC, true);

/** The caller must hold all of these roles. */
export const Roles = (...roles: readonly RoleName[]): CustomDecorator => SetMetadata(ROLE_SETS, [roles]);

/** The caller must hold all roles of at least one of these sets. */
export const AnyRoles = (...sets: readonly (readonly RoleName[])[]): CustomDecorator => SetMetadata(ROLE_SETS, sets);

/** Whom a route lets in: everybody, or who holds all roles of at least one of these sets. */
type Access = 'public' | readonly (readonly RoleName[])[];

/** By handler and controller; decorators do not change once they have run. */
const known = new WeakMap<object, WeakMap<object, Access>>();

/** Whom a route lets in. */
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
