import { ImportError } from '../import-error.js';

/** The first bytes of files that users mistake for CSV. */
const OTHER_FORMATS: readonly (readonly [signature: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'It is a spreadsheet (Excel, LibreOffice) or an archive: save the sheet as "CSV UTF-8".'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'It is an old spreadsheet of Excel: save the sheet as "CSV UTF-8".'],
  [[0x25, 0x50, 0x44, 0x46], 'It is a PDF: export the gifts as CSV.'],
  [[0x1f, 0x8b], 'It is compressed: unpack it first.'],
];

const HTML = /^\s*<(!doctype|html|head|body|table|\?xml|script|meta)/i;

/** @throws ImportError for a file that is certainly not CSV, by its first bytes. */
export function refuseOtherFormats(bytes: Buffer): void {
  const known = OTHER_FORMATS.find(([signature]) => signature.every((byte, i) => bytes[i] === byte));
  if (known !== undefined) throw new ImportError(`The file is not CSV. ${known[1]}`);
  const text = bytes
    .subarray(0, 200)
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/^(ï»¿|ÿþ|þÿ)/, '');
  if (HTML.test(text))
    throw new ImportError(
      'The file is not CSV. It is a web page (HTML or XML), perhaps the log-in page of the processor: log in there, and ' +
        'download the export again.',
    );
}

/** The encoding that a byte order mark names; undefined without a mark. */
export function encodingByMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** UTF-16 without a mark: every other byte of English text is zero. @throws ImportError for other files with zeros. */
export function utf16Without(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 1_000);
  if (!head.includes(0)) return undefined;
  const zeros = [0, 0];
  head.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 4 && even === 0) return 'utf-16le';
  if (even > head.length / 4 && odd === 0) return 'utf-16be';
  throw new ImportError('The file is not text, or in an unknown encoding: save it as "CSV UTF-8".');
}
