import { MIMEType } from 'node:util';
import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import bodyParser from 'body-parser';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { InvalidRequestError, PayloadTooLargeError, UnsupportedMediaTypeError } from './errors.js';
import { readJsonObject } from './read-json.js';

const MAX_BYTES = 64 * 1024;
const TOO_LARGE = `The body must be at most ${MAX_BYTES / 1024} KB.`;

const readBytes = bodyParser.raw({ type: () => true, inflate: false, limit: MAX_BYTES });

/**
 * Reads the JSON body of a route. An interceptor runs after the guards, so that no stranger makes us read or parse;
 * Nest's own body parser would run before them and is switched off.
 */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    assertJson(request.headers['content-type']);
    assertSize(request.headers['content-length']);
    request.body = readJsonObject(await readBody(request, context.switchToHttp().getResponse<Response>()));
    return next.handle();
  }
}

function assertJson(contentType: string | undefined): void {
  if (contentType !== undefined) {
    try {
      const { essence, params } = new MIMEType(contentType);
      const charset = params.get('charset') ?? 'utf-8';
      if (essence === 'application/json' && /^utf-?8$/i.test(charset)) return;
    } catch {
      // Not a media type at all: answered like any other that is not read.
    }
  }
  throw new UnsupportedMediaTypeError('The body must be sent as Content-Type: application/json, in UTF-8.');
}

/** body-parser would take in all of it before it says so. */
function assertSize(contentLength: string | undefined): void {
  if (Number(contentLength ?? 0) > MAX_BYTES) throw new PayloadTooLargeError(TOO_LARGE);
}

async function readBody(request: Request, response: Response): Promise<Buffer> {
  try {
    await new Promise<void>((resolve, reject) => {
      readBytes(request, response, (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(error instanceof Error ? error : new Error('The body could not be read'));
      });
    });
  } catch (error) {
    throw asExpected(error);
  }
  const body: unknown = request.body;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** body-parser tells its failures by `type`. */
function asExpected(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large') {
    return new PayloadTooLargeError(TOO_LARGE);
  }
  if (type === 'encoding.unsupported') {
    return new UnsupportedMediaTypeError('The body must be sent without Content-Encoding.');
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return new InvalidRequestError('The body did not arrive whole.');
  }
  return error;
}
