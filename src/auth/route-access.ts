import { CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Query } from '../http/index.js';
import type { TokenScope } from './tokens/parsing/token-scope.js';
import type { RoleName } from './users/role-name.js';

/** Metadata of a route without authentication. */
const PUBLIC = 'access:public';
/** Metadata of a route: sets of roles, of which a caller must hold one set in full. */
const ROLE_SETS = 'access:roles';
/** Metadata of a route: its {@link ScopeRule}s. */
const SCOPE_RULES = 'access:scopes';

/** Opens a route to everybody. A route without this and without roles is refused. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC, true);

/** The caller must hold all of these roles. */
export const Roles = (...roles: readonly RoleName[]): CustomDecorator => SetMetadata(ROLE_SETS, [roles]);

/** The caller must hold all roles of at least one of these sets. */
export const AnyRoles = (...sets: readonly (readonly RoleName[])[]): CustomDecorator => SetMetadata(ROLE_SETS, sets);

/** The scope that a token needs for calls of a route; with `when`, for those whose query fulfils it. */
interface ScopeRule {
  readonly scope: TokenScope;
  readonly when?: (query: Query) => boolean;
}

/**
 * The scope that a token needs for this route, in addition to the roles of its user. Of several rules the first that
 * applies to a call counts. No token may call a route without this.
 */
export const ForTokens = (...rules: readonly (TokenScope | Required<ScopeRule>)[]): CustomDecorator =>
  SetMetadata(
    SCOPE_RULES,
    rules.map((rule) => (typeof rule === 'string' ? { scope: rule } : rule)),
  );

/** No token may call this route, because it is for people and not for programs. */
export const NotForTokens = (): CustomDecorator => SetMetadata(SCOPE_RULES, []);

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

/** The scopes that {@link ForTokens} declares for a route; undefined if the route declares nothing about tokens. */
export function scopesOf(handler: object): readonly TokenScope[] | undefined {
  return rulesOf(handler)?.map(({ scope }) => scope);
}

/** The scope that a token needs for a call of a route; undefined if no token may make it. */
export function scopeFor(handler: object, query: () => Query): TokenScope | undefined {
  return rulesOf(handler)?.find(({ when }) => when === undefined || when(query()))?.scope;
}

/** Declared on each method, so that a new method of a controller does not inherit the scope of others. */
function rulesOf(handler: object): readonly ScopeRule[] | undefined {
  return Reflect.getMetadata(SCOPE_RULES, handler) as readonly ScopeRule[] | undefined;
}

function readAccess(handler: object, controller: object): Access {
  const find = (key: string): unknown =>
    [handler, controller]
      .map((place) => Reflect.getMetadata(key, place) as unknown)
      .find((found) => found !== undefined);
  return find(PUBLIC) === true ? 'public' : ((find(ROLE_SETS) ?? []) as readonly (readonly RoleName[])[]);
}
