import bodyParser from 'body-parser';
import type { Request, Response } from 'express';
import { InvalidRequestError, PayloadTooLargeError, UnsupportedMediaTypeError } from '../problems/errors.js';

type ReadBytes = ReturnType<typeof bodyParser.raw>;

/** The parsers by the size that they accept. */
const parsers = new Map<number, ReadBytes>();

/**
 * The bytes of a body.
 * @throws PayloadTooLargeError, UnsupportedMediaTypeError for a compressed body, InvalidRequestError for one that was cut off.
 */
export async function readBody(request: Request, response: Response, maxKilobytes: number): Promise<Buffer> {
  assertSize(request.headers['content-length'], maxKilobytes);
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
