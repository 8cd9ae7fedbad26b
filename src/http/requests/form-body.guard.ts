import { MIMEType } from 'node:util';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isUnderConsole } from '../areas.js';
import { takesFile } from '../files/sent-file.js';
import { InvalidRequestError, UnsupportedMediaTypeError } from '../problems/errors.js';
import { parseQuery } from './query.js';
import { readBody } from './read-body.js';

const FORM = 'application/x-www-form-urlencoded';
const MAX_KILOBYTES = 64;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** The hidden field of each form with the form token of the session. */
export const FORM_TOKEN_FIELD = 'formToken';

/**
 * Reads the form that a page of the console sends: the only bodies in this encoding, which any page of another site can
 * send as well. The body becomes a Query: a name that was sent twice has an array of values. Runs after the guards
 * of access, so that the bodies of callers who have not logged in are not read, except on the login page. A form with a file
 * is read by FileBodyGuard.
 */
@Injectable()
export class FormBodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const route = request.route as { readonly path: string };
    if (request.method !== 'POST' || !isUnderConsole(route.path) || takesFile(context.getHandler())) return true;
    assertForm(request.headers['content-type']);
    const bytes = await readBody(request, context.switchToHttp().getResponse<Response>(), MAX_KILOBYTES);
    request.body = parseQuery(decode(bytes));
    return true;
  }
}

function assertForm(contentType = ''): void {
  try {
    const { essence, params } = new MIMEType(contentType);
    if (essence === FORM && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8')) return;
  } catch {
    // Not a media type: answered like an unsupported one.
  }
  throw new UnsupportedMediaTypeError(`A form must be sent as Content-Type: ${FORM}, in UTF-8.`);
}

function decode(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new InvalidRequestError('The form is not valid UTF-8.');
  }
}
