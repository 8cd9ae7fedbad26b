import { MIMEType } from 'node:util';
import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import bodyParser from 'body-parser';
import type { Request, Response } from 'express';
import { InvalidRequestError, PayloadTooLargeError, UnsupportedMediaTypeError } from '../problems/errors.js';
import { readJsonObject } from './read-json.js';

const MAX_BYTES = 64 * 1024;
const TOO_LARGE = `The body must be at most ${MAX_BYTES / 1024} KB.`;

const readBytes = bodyParser.raw({ type: () => true, inflate: false, limit: MAX_BYTES });

/**
 * Lets in a request that brings a JSON object, and reads it. A route's own guard runs after the global ones, so that no
 * stranger makes us read or parse; Nest's own body parser would run before them and is switched off. An interceptor would
 * do as well, but sends each answer through an Observable.
 */
@Injectable()
export class JsonBodyGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    assertJson(request.headers['content-type']);
    assertSize(request.headers['content-length']);
    request.body = readJsonObject(await readBody(request, context.switchToHttp().getResponse<Response>()));
    return true;
  }
}

function assertJson(contentType: string | undefined): void {
  // As nearly everybody sends it.
  if (contentType === 'application/json') return;
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
