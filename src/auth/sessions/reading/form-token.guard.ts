import { timingSafeEqual } from 'node:crypto';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { FORM_TOKEN_FIELD, type Query, takesFile } from '../../../http/index.js';
import type { Caller } from '../../caller.js';
import { FormTokenError } from '../errors.js';

/**
 * Refuses a form of a session without the session's form token, which only our own pages contain. Runs after the form has
 * been read, but before a file is received.
 */
@Injectable()
export class FormTokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request & { user?: Caller }>();
    const session = request.user?.session;
    if (session === undefined || request.method !== 'POST') return true;
    // A form with a file has it in its address, because it must be checked before the file is received.
    const place: unknown = takesFile(context.getHandler()) ? request.query : request.body;
    const { [FORM_TOKEN_FIELD]: sent } = place as Query;
    if (typeof sent !== 'string' || !isEqual(sent, session.formToken)) throw new FormTokenError();
    return true;
  }
}

function isEqual(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
