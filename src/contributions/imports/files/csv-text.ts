import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ImportError } from '../import-error.js';

/** The first bytes of files that users mistake for CSV in UTF-8. */
const OTHER_FORMATS: readonly (readonly [signature: readonly number[], what: string])[] = [
  [[0xff, 0xfe], 'It is written in UTF-16.'],
  [[0xfe, 0xff], 'It is written in UTF-16.'],
  [[0x50, 0x4b, 0x03, 0x04], 'It is a spreadsheet or an archive.'],
  [[0x1f, 0x8b], 'It is compressed.'],
];

const ADVICE =
  'Save it as "CSV UTF-8", or convert it, for a Windows file: iconv -f WINDOWS-1252 -t UTF-8 gifts.csv > gifts.utf8.csv';

/**
 * Reads the text of a file in parts, without a byte order mark.
 * @throws ImportError if it is not UTF-8, because a wrongly decoded name would be another person's.
 */
export async function* csvText(path: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    if (isFirst) assertLooksLikeText(bytes);
    isFirst = false;
    yield await decoded(() => decoder.decode(bytes, { stream: true }), path);
  }
  // Throws if the file ends within a character.
  await decoded(() => decoder.decode(), path);
}

function assertLooksLikeText(bytes: Buffer): void {
  const known = OTHER_FORMATS.find(([signature]) => signature.every((byte, i) => bytes[i] === byte));
  if (known !== undefined) throw new ImportError(`The file is not CSV in UTF-8. ${known[1]} ${ADVICE}`);
  if (bytes.includes(0)) throw new ImportError(`The file is not text in UTF-8, perhaps UTF-16. ${ADVICE}`);
}

async function decoded(decode: () => string, path: string): Promise<string> {
  try {
    return decode();
  } catch {
    throw new ImportError(`The file is not UTF-8: line ${await firstLineNotUtf8(path)} holds other bytes. ${ADVICE}`);
  }
}

/** Reads the file again, because the decoder does not report the position of the error. */
async function firstLineNotUtf8(path: string): Promise<number> {
  let number = 0;
  const lines = createInterface({ input: createReadStream(path, 'latin1'), crlfDelay: Infinity });
  for await (const line of lines) {
    number++;
    if (!isUtf8(Buffer.from(line, 'latin1'))) break;
  }
  return number;
}
