import type { Request } from 'express';
import { InvalidRequestError } from '../problems/errors.js';
import { trimText } from '../../values/index.js';

/** A larger body is not read, and counts as a body even if it is white space. */
const MAX_BYTES = 64 * 1024;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const EMPTY_OBJECT = /^\{\s*\}$/u;

/**
 * Whether a request has no body, or an empty one: white space, `null` or `{}`, which some clients always send. The
 * content type does not matter. A compressed body is not empty.
 * @throws InvalidRequestError when the body was cut off.
 */
export async function isBodyAbsent(request: Request): Promise<boolean> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length ?? 0) === 0) return true;
  if (Number(length ?? 0) > MAX_BYTES) return false;
  const bytes = await readAtMost(request, MAX_BYTES);
  return bytes !== undefined && isEmpty(bytes);
}

function isEmpty(bytes: Buffer): boolean {
  let text: string;
  try {
    // TextDecoder removes a byte order mark.
    text = trimText(UTF_8.decode(bytes));
  } catch {
    return false;
  }
  return text === '' || text === 'null' || EMPTY_OBJECT.test(text);
}

/** The body, or undefined if it is longer than `max`. Reads the rest, too, so that the connection stays usable. */
function readAtMost(request: Request, max: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let [chunks, size]: [Buffer[], number] = [[], 0];
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) chunks.push(chunk);
      else {
        chunks = [];
        resolve(undefined);
      }
    });
    request.once('end', () => {
      resolve(Buffer.concat(chunks));
    });
    request.once('error', () => {
      reject(new InvalidRequestError('The body did not arrive whole.'));
    });
  });
}
