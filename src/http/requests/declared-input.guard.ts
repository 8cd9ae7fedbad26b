import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { isUnderApi } from '../areas.js';
import { isBodyAbsent } from './absent-body.js';
import { takesFile } from '../files/sent-file.js';
import { declaredInputOf } from '../document/route-inputs.js';
import { InvalidRequestError } from '../problems/errors.js';
import { faultsOfNames, type Query } from './query.js';

/** The body of such a request has no meaning (RFC 9110, 9.3.1), and the request changes nothing. */
const READING = new Set(['GET', 'HEAD']);

/**
 * Refuses what a route under /Api does not declare: unknown and repeated query parameters, and a body if it reads none
 * (ADR 28). If they were ignored, `?dryRn=true` would record a gift, and `{"Amount":"5"}` would reverse a whole one.
 * Runs after the guards of access, so that the bodies of unauthenticated callers are not read.
 */
@Injectable()
export class DeclaredInputGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    // Express sets it when a route matches.
    const route = request.route as { readonly path: string };
    if (!isUnderApi(route.path)) return true;
    const { queryNames, takesBody, name, insteadOfBody } = declaredInputOf(context.getHandler(), context.getClass());
    if (request.url.includes('?')) {
      const faults = faultsOfNames(request.query as Query, queryNames);
      if (faults.length > 0) throw InvalidRequestError.ofFields(faults);
    }
    if (takesBody || takesFile(context.getHandler())) return true;
    if (!READING.has(request.method) && !(await isBodyAbsent(request))) {
      throw new InvalidRequestError(`${name} takes no body: ${insteadOfBody}. Nothing was changed.`);
    }
    return true;
  }
}
