import { createReadStream } from 'node:fs';
import { ImportError, quoted } from '../import-error.js';
import { encodingByMark, refuseOtherFormats, utf16Without } from './file-signature.js';

/** The encoding of a file, and the lines around its table. */
export interface TextFormat {
  /** A name that TextDecoder knows; undefined: UTF-8, or UTF-16 if the file begins like it. */
  readonly encoding?: string | undefined;
  /** The number of lines above the table. */
  readonly skipLines?: number | undefined;
  /** The number of lines below the table. Blank lines do not count. */
  readonly footer?: number | undefined;
}

const ADVICE = 'Save it as "CSV UTF-8", or name its encoding in the mapping: "file": {"encoding": "windows-1252"}';

/**
 * Reads the text of a file in parts, without a byte order mark and without the lines above and below the table.
 * @throws ImportError if it is not text in its encoding, because a wrongly decoded name would be another person's.
 */
export function csvText(path: string, format: TextFormat = {}): AsyncGenerator<string, void, undefined> {
  const { skipLines = 0, footer = 0 } = format;
  const text = decodedText(path, format.encoding);
  const below = skipLines === 0 ? text : withoutFirstLines(text, skipLines);
  return footer === 0 ? below : withoutLastLines(below, footer);
}

async function* decodedText(path: string, named: string | undefined): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined;
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    decoder ??= decoderOf(bytes, named);
    yield await decoded(decoder, bytes, path);
  }
  // Throws if the file ends within a character.
  if (decoder !== undefined) yield await decoded(decoder, undefined, path);
}

/** The decoder for a file that begins with these bytes. A byte order mark is certain, so it counts first. */
function decoderOf(bytes: Buffer, named: string | undefined): TextDecoder {
  refuseOtherFormats(bytes);
  const encoding = encodingByMark(bytes) ?? named ?? utf16Without(bytes) ?? 'utf-8';
  return new TextDecoder(encoding, { fatal: true });
}

async function decoded(decoder: TextDecoder, bytes: Buffer | undefined, path: string): Promise<string> {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    const { encoding } = decoder;
    const line = await firstLineNotDecoded(path, encoding);
    throw new ImportError(`The file is not ${encoding.toUpperCase()}: line ${line} holds other bytes. ${ADVICE}`);
  }
}

/** Reads the file again, because the decoder does not report the position of the error. */
async function firstLineNotDecoded(path: string, encoding: string): Promise<number> {
  const decoder = new TextDecoder(encoding);
  let line = 1;
  let last = '';
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    const text = decoder.decode(bytes, { stream: true });
    const fault = text.indexOf('\u{FFFD}');
    const before = fault < 0 ? text : text.slice(0, fault);
    // A line end of two characters may be in two parts.
    const begin = last === '\r' && before.startsWith('\n') ? before.slice(1) : before;
    line += lineEnds(begin);
    if (fault >= 0) break;
    last = text.at(-1) ?? last;
  }
  return line;
}

export function lineEnds(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

async function* withoutFirstLines(
  parts: AsyncIterable<string>,
  count: number,
): AsyncGenerator<string, void, undefined> {
  let left = count;
  let held = '';
  for await (const part of parts) {
    let text = held + part;
    held = '';
    for (; left > 0; left--) {
      const end = /\r\n|\n|\r(?!$)/.exec(text);
      if (end === null) break;
      text = text.slice(end.index + end[0].length);
    }
    if (left === 0) yield text;
    // A line end of two characters may be in two parts. The text of the lines above is not needed.
    else held = text.endsWith('\r') ? '\r' : '';
  }
}

const BLANK_LINE = /^[\s,;|"]*$/;
const LINES = /(?<=\n|\r(?!\n|$))/;

/** A line of a file. */
export interface TextLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines below the table, which {@link csvText} leaves out. */
export async function linesBelow(path: string, format: TextFormat): Promise<TextLine[]> {
  const { skipLines = 0, footer = 0 } = format;
  const last: TextLine[] = [];
  let line = skipLines;
  const add = (text: string): void => {
    line++;
    if (BLANK_LINE.test(text)) return;
    last.push({ line, text: text.trimEnd() });
    if (last.length > footer) last.shift();
  };
  let held = '';
  for await (const part of csvText(path, { ...format, footer: 0 })) {
    const lines = (held + part).split(LINES);
    held = lines.pop() ?? '';
    lines.forEach(add);
  }
  add(held);
  return last;
}

/** Holds back so much of the end that the last lines are in it. */
async function* withoutLastLines(parts: AsyncIterable<string>, count: number): AsyncGenerator<string, void, undefined> {
  let held = '';
  for await (const part of parts) {
    held += part;
    const lines = held.split(LINES);
    let filled = 0;
    let begin = lines.length;
    // One line more than the footer has, because the last one may go on in the next part.
    while (begin > 0 && filled <= count) if (!BLANK_LINE.test(lines[--begin] ?? '')) filled++;
    if (begin === 0) continue;
    yield lines.slice(0, begin).join('');
    held = lines.slice(begin).join('');
  }
  const lines = held.split(LINES);
  for (let left = count; lines.length > 0 && (left > 0 || BLANK_LINE.test(lines.at(-1) ?? ''));) {
    if (!BLANK_LINE.test(lines.pop() ?? '')) left--;
  }
  yield lines.join('');
}

/** So many characters are enough for guesses about the form of a file. */
const BEGINNING = 20_000;

/** The beginning of a file's table, for guesses about its form. */
export async function beginningOf(path: string, format: TextFormat): Promise<string> {
  let text = '';
  for await (const part of csvText(path, format)) {
    text += part;
    if (text.length >= BEGINNING) break;
  }
  return text;
}

/** Whether the file is text in this encoding; undefined: UTF-8, or UTF-16. @throws ImportError if it is not CSV. */
export async function isDecodable(path: string, encoding: string | undefined): Promise<boolean> {
  let decoder: TextDecoder | undefined;
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    decoder ??= decoderOf(bytes, encoding);
    if (!isDecoded(decoder, bytes)) return false;
  }
  return decoder === undefined || isDecoded(decoder, undefined);
}

function isDecoded(decoder: TextDecoder, bytes: Buffer | undefined): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks that a file whose mapping names another encoding is not UTF-8 all the same: then each é would be read as Ã©.
 * @throws ImportError
 */
export async function assertNotUtf8(path: string, named: string | undefined): Promise<void> {
  if (named === undefined || /^utf-?(8|16)/i.test(named)) return;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let hasOthers = false;
  try {
    for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
      hasOthers ||= bytes.some((byte) => byte > 127);
      decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
  } catch {
    return;
  }
  if (hasOthers)
    throw new ImportError(`The file is UTF-8, and not ${quoted(named)}: leave out "encoding" of the mapping.`);
}
