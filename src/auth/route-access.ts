import { CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Query } from '../http/index.js';
import type { TokenScope } from './tokens/parsing/token-scope.js';
import type { RoleName } from './users/role-name.js';

/** Metadata of a route without authentication. */
const PUBLIC = 'access:public';
/** Metadata of a route: sets of roles, of which a caller must hold one set in full. */
const ROLE_SETS = 'access:roles';
/** Metadata of a page: the roles of which its user must hold one. */
const PAGE_ROLES = 'access:page';
/** Metadata of a route: its {@link ScopeRule}s. */
const SCOPE_RULES = 'access:scopes';

/** Opens a route to everybody. A route without this and without roles is refused. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC, true);

/** The caller of a route under /Api must hold all of these roles. */
export const Roles = (...roles: readonly RoleName[]): CustomDecorator => SetMetadata(ROLE_SETS, [roles]);

/** The caller must hold all roles of at least one of these sets. */
export const AnyRoles = (...sets: readonly (readonly RoleName[])[]): CustomDecorator => SetMetadata(ROLE_SETS, sets);

/**
 * A page of the console: a person must have logged in there, and hold one of these roles. A session opens no route under
 * /Api, and neither a password nor a token of HTTP opens a page.
 */
export const Page = (...roles: readonly [RoleName, ...RoleName[]]): CustomDecorator => SetMetadata(PAGE_ROLES, roles);

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

/** How the callers of a route show who they are: not at all, by HTTP Basic or a token, or by a session of the console. */
type Authentication = 'none' | 'http' | 'session';

interface RouteAccess {
  readonly access: Access;
  readonly authentication: Authentication;
}

/** A cache by handler and controller. Decorators run once, so entries never change. */
const known = new WeakMap<object, WeakMap<object, RouteAccess>>();

/** Who may call a route, according to its decorators. */
export function accessOf(handler: object, controller: object): Access {
  return routeAccess(handler, controller).access;
}

/** How the callers of a route show who they are. Each route has one way. */
export function authenticationOf(handler: object, controller: object): Authentication {
  return routeAccess(handler, controller).authentication;
}

function routeAccess(handler: object, controller: object): RouteAccess {
  const ofHandler = known.get(handler) ?? new WeakMap<object, RouteAccess>();
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

/** The decorators of the method count. Those of the controller count only if the method has none. */
function readAccess(handler: object, controller: object): RouteAccess {
  const place = [handler, controller].find((one) => [PUBLIC, ROLE_SETS, PAGE_ROLES].some((key) => find(key, one)));
  if (place === undefined) return { access: [], authentication: 'http' };
  if (find(PUBLIC, place) === true) return { access: 'public', authentication: 'none' };
  const pageRoles = find(PAGE_ROLES, place) as readonly RoleName[] | undefined;
  const sets = find(ROLE_SETS, place) as Exclude<Access, 'public'> | undefined;
  if (pageRoles === undefined) return { access: sets ?? [], authentication: 'http' };
  if (sets !== undefined) throw new Error('A route is either a page or a call: @Page and @Roles exclude each other');
  return { access: pageRoles.map((role) => [role]), authentication: 'session' };
}

function find(key: string, place: object): unknown {
  return Reflect.getMetadata(key, place) as unknown;
}
