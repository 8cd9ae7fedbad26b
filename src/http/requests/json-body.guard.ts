import { MIMEType } from 'node:util';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { declaredInputOf } from '../document/route-inputs.js';
import { bodyLimitsOf } from './body-limits.js';
import { UnsupportedMediaTypeError } from '../problems/errors.js';
import { readBody } from './read-body.js';
import { readJsonObject } from './read-json.js';

/**
 * Reads the body of a route with `@Body()`, and allows the request if the body is a JSON object. A route whose fields are
 * all optional may also have no body. Runs after the guards
 * of access, so that the bodies of unauthenticated callers are neither read nor parsed. Nest's body parser would run
 * before them and is switched off. An interceptor is not used because it would send each answer through an Observable.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { takesBody, isBodyOptional } = declaredInputOf(context.getHandler(), context.getClass());
    if (!takesBody) return true;
    const { maxKilobytes, checkedLevels } = bodyLimitsOf(context.getHandler());
    const request = context.switchToHttp().getRequest<Request>();
    if (isBodyOptional && hasNoBody(request)) {
      request.body = {};
      return true;
    }
    assertJson(request.headers['content-type']);
    const bytes = await readBody(request, context.switchToHttp().getResponse<Response>(), maxKilobytes);
    request.body = readJsonObject(bytes, 'The body', checkedLevels);
    return true;
  }
}

function hasNoBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function assertJson(contentType: string | undefined): void {
  // A fast path, because nearly all callers send exactly this.
  if (contentType === 'application/json') return;
  if (contentType !== undefined) {
    try {
      const { essence, params } = new MIMEType(contentType);
      const charset = params.get('charset') ?? 'utf-8';
      if (essence === 'application/json' && /^utf-?8$/i.test(charset)) return;
    } catch {
      // Not a media type: answered like an unsupported one.
    }
  }
  throw new UnsupportedMediaTypeError('The body must be sent as Content-Type: application/json, in UTF-8.');
}
