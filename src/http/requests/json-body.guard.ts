import { MIMEType } from 'node:util';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import bodyParser from 'body-parser';
import type { Request, Response } from 'express';
import { declaredInputOf } from '../document/route-inputs.js';
import { bodyLimitsOf } from './body-limits.js';
import { InvalidRequestError, PayloadTooLargeError, UnsupportedMediaTypeError } from '../problems/errors.js';
import { readJsonObject } from './read-json.js';

type ReadBytes = ReturnType<typeof bodyParser.raw>;

/** The parsers by the size that they accept. */
const parsers = new Map<number, ReadBytes>();

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
    assertSize(request.headers['content-length'], maxKilobytes);
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

/** Checked here because body-parser would receive the whole body before it refuses it. */
function assertSize(contentLength: string | undefined, maxKilobytes: number): void {
  if (Number(contentLength ?? 0) > maxKilobytes * 1024) throw tooLarge(maxKilobytes);
}

function tooLarge(maxKilobytes: number): PayloadTooLargeError {
  return new PayloadTooLargeError(`The body must be at most ${maxKilobytes} KB.`);
}

function parserFor(maxKilobytes: number): ReadBytes {
  const parser =
    parsers.get(maxKilobytes) ?? bodyParser.raw({ type: () => true, inflate: false, limit: maxKilobytes * 1024 });
  parsers.set(maxKilobytes, parser);
  return parser;
}

async function readBody(request: Request, response: Response, maxKilobytes: number): Promise<Buffer> {
  const readBytes = parserFor(maxKilobytes);
  try {
    await new Promise<void>((resolve, reject) => {
      readBytes(request, response, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(error instanceof Error ? error : new Error('The body could not be read'));
      });
    });
  } catch (error) {
    throw asExpected(error, maxKilobytes);
  }
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Converts the errors of body-parser, which differ by `type`. */
function asExpected(error: unknown, maxKilobytes: number): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') return tooLarge(maxKilobytes);
  if (type === 'encoding.unsupported') {
    return new UnsupportedMediaTypeError('The body must be sent without Content-Encoding.');
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return new InvalidRequestError('The body did not arrive whole.');
  }
  return error;
}
