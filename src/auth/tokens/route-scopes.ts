import { Injectable, type Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { accessOf, scopesOf } from '../route-access.js';
import type { RoleName } from '../users/role-name.js';
import { TOKEN_SCOPES, type TokenScope } from './parsing/token-scope.js';

/** Which scopes a user can use, according to the roles and scopes that the routes declare. */
@Injectable()
export class RouteScopes {
  private readonly scanner = new MetadataScanner();

  constructor(private readonly modules: ModulesContainer) {}

  /** The scopes of the routes that these roles open. */
  allowedBy(roles: ReadonlySet<RoleName>): TokenScope[] {
    const allowed = this.controllers().flatMap((controller) => {
      const prototype = controller.prototype as Record<string, object>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        if (handler === undefined || !isOpenTo(roles, accessOf(handler, controller))) return [];
        return scopesOf(handler) ?? [];
      });
    });
    return TOKEN_SCOPES.filter((scope) => allowed.includes(scope));
  }

  private controllers(): Type[] {
    return [...this.modules.values()]
      .flatMap((module) => [...module.controllers.values()])
      .flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype as Type] : []));
  }
}

function isOpenTo(roles: ReadonlySet<RoleName>, access: ReturnType<typeof accessOf>): boolean {
  return access !== 'public' && access.some((set) => set.every((role) => roles.has(role)));
}
