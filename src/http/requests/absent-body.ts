import type { Request } from 'express';
import { InvalidRequestError } from '../problems/errors.js';
import { trimText } from '../../values/index.js';

/** More than this is refused unread, though it may be white space. */
const MAX_BYTES = 64 * 1024;

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const EMPTY_OBJECT = /^\{\s*\}$/u;

/**
 * Whether a request comes without a body, or with one that says nothing: white space, `null` or `{}`, which clients send
 * that have nothing to send. The content type does not matter, and a compressed body says something.
 * @throws InvalidRequestError when the body did not arrive whole.
 */
export async function isBodyAbsent(request: Request): Promise<boolean> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && Number(length ?? 0) === 0) return true;
  if (Number(length ?? 0) > MAX_BYTES) return false;
  const bytes = await readAtMost(request, MAX_BYTES);
  return bytes !== undefined && saysNothing(bytes);
}

function saysNothing(bytes: Buffer): boolean {
  let text: string;
  try {
    // Without a byte order mark at its beginning.
    text = trimText(UTF_8.decode(bytes));
  } catch {
    return false;
  }
  return text === '' || text === 'null' || EMPTY_OBJECT.test(text);
}

/** The whole body, or undefined as soon as it is longer than `max`; what still comes is dropped, and the line stays usable. */
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
