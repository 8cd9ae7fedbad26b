import { CanActivate, ExecutionContext, Injectable, Type } from '@nestjs/common';
import type { Request } from 'express';
import { isBodyAbsent } from './absent-body.js';
import { operationOf } from '../document/operation.js';
import { inputsOf, queryNamesOf } from '../document/route-inputs.js';
import { InvalidRequestError } from '../problems/errors.js';
import { faultsOfNames, type Query } from './query.js';

const UNDER_API = /^\/api(\/|$)/i;
/** Their bodies have no meaning (RFC 9110, 9.3.1), and nothing is changed. */
const READING = new Set(['GET', 'HEAD']);

/** What the guard knows of a route. */
interface Declared {
  readonly queryNames: readonly string[];
  readonly takesBody: boolean;
  /** For messages. */
  readonly name: string;
}

/** By handler; decorators do not change once they have run. */
const declared = new WeakMap<object, Declared>();

/**
 * Refuses what a route under /Api does not declare: unknown and repeated query parameters, and a body where none is
 * read. Ignored, `?dryRn=true` would record a gift, and `{"Amount":"5"}` take back all of one. A route that declares
 * nothing takes nothing. Runs after the guards of access, so that a stranger makes us read no body.
 */
@Injectable()
export class DeclaredInputGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    // What Express leaves behind once a route is matched.
    const route = request.route as { readonly path: string };
    if (!UNDER_API.test(route.path)) return true;
    const { queryNames, takesBody, name } = declaredBy(context.getHandler(), context.getClass());
    if (request.url.includes('?')) {
      const faults = faultsOfNames(request.query as Query, queryNames);
      if (faults.length > 0) throw InvalidRequestError.ofFields(faults);
    }
    if (!takesBody && !READING.has(request.method) && !(await isBodyAbsent(request))) {
      throw new InvalidRequestError(`${name} takes no body: send none. Nothing was changed.`);
    }
    return true;
  }
}

function declaredBy(handler: { readonly name: string }, controller: Type): Declared {
  const known = declared.get(handler);
  if (known !== undefined) return known;
  const inputs = inputsOf(controller, handler.name);
  const found = {
    queryNames: queryNamesOf(inputs),
    takesBody: inputs.body !== undefined,
    name: operationOf(handler)?.id ?? 'This call',
  };
  declared.set(handler, found);
  return found;
}
