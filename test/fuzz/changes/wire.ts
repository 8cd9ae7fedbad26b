import fc from 'fast-check';
import type { Change } from '../request.js';
import { EDITS } from './bytes.js';

const CRLF = '\r\n';

/** Applies a change to the head of a request: all bytes before the empty line, read as Latin-1. */
const inHead =
  (change: (head: string) => string) =>
  (bytes: Buffer): Buffer => {
    const end = bytes.indexOf(`${CRLF}${CRLF}`);
    return Buffer.concat([Buffer.from(change(bytes.toString('latin1', 0, end)), 'latin1'), bytes.subarray(end)]);
  };

type EditHead = (head: string) => string;

const addLine =
  (line: string): EditHead =>
  (head) =>
    `${head}${CRLF}${line}`;

const replaceLength =
  (line: string): EditHead =>
  (head) =>
    head.replace(/Content-Length: .*/, line);

const replace =
  (what: string, by: string): EditHead =>
  (head) =>
    head.replace(what, by);

/** Invalid HTTP, which must be refused. */
const REFUSED: Readonly<Record<string, EditHead>> = {
  'no colon': addLine('Nonsense'),
  'a space before the colon': addLine('X-A : b'),
  'a folded line': addLine('X-A: b\r\n folded'),
  'a nameless header': addLine(': b'),
  'a NUL in a value': addLine('X-A: a\u{0}b'),
  'a line feed in a value': addLine('X-A: a\nX-B: c'),
  'a carriage return in a value': addLine('X-A: a\rb'),
  'an odd letter in a name': addLine('X-\u{E9}: b'),
  'bare line feeds': (head) => head.replaceAll(CRLF, '\n'),
  'a leading space': (head) => ` ${head}`,
  'two lengths that differ': addLine('Content-Length: 3'),
  'the length twice': (head) => `${head}${CRLF}${/Content-Length: .*/.exec(head)?.[0] ?? ''}`,
  'length and chunks': addLine('Transfer-Encoding: chunked'),
  'another transfer encoding': addLine('Transfer-Encoding: gzip'),
  'odd chunks': replaceLength('Transfer-Encoding: chunked, chunked'),
  'a hidden encoding': replaceLength('Transfer-Encoding: \u{B}chunked'),
  'a negative length': replaceLength('Content-Length: -1'),
  'a length that is no number': replaceLength('Content-Length: x'),
  'a length with a sign': replaceLength('Content-Length: +10'),
  'a list of lengths': replaceLength('Content-Length: 10, 10'),
  'a length that is too large': replaceLength(`Content-Length: ${'9'.repeat(30)}`),
  'another protocol': replace('HTTP/1.1', 'ICE/1.1'),
  'an unknown method': replace('POST', 'GIVE'),
  'a method in lower case': replace('POST', 'post'),
  CONNECT: replace('POST', 'CONNECT'),
  'a target with a space': replace('/Api', '/A pi'),
  'a target with a NUL': replace('/Api', '/A\u{0}pi'),
};

const ACCEPTED: Readonly<Record<string, EditHead>> = {
  'HTTP/1.0': replace('HTTP/1.1', 'HTTP/1.0'),
  'leading empty lines': (head) => `${CRLF}${CRLF}${head}`,
  'an upgrade': addLine('Connection: Upgrade\r\nUpgrade: websocket'),
  'an upgrade to HTTP/2': addLine('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk'),
};

/** Requests that Node may accept or refuse. If bytes follow a complete request, it may close the connection. */
const ODD: Readonly<Record<string, EditHead>> = {
  'missing chunks': replaceLength('Transfer-Encoding: chunked'),
  'no length': replaceLength('X-Length: none'),
  'a length too short': replaceLength('Content-Length: 10'),
  'a length of zero': replaceLength('Content-Length: 0'),
  'a length too long': replaceLength('Content-Length: 9999'),
  'HTTP/0.9': replace('HTTP/1.1', 'HTTP/0.9'),
  'HTTP/2.0': replace('HTTP/1.1', 'HTTP/2.0'),
  'no version': replace(' HTTP/1.1', ''),
  'a target of Latin-1': replace('/Api', '/\u{C4}pi'),
};

const WHOLE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'the preface of HTTP/2': () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  'a TLS ClientHello': () => Buffer.from('1603010200010001fc0303', 'hex'),
  'an empty line': () => Buffer.from('\r\n\r\n'),
  'garbage after the request': (bytes) => Buffer.concat([bytes, Buffer.from('}\n\0garbage\r\n\r\n')]),
  'half a head': (bytes) => bytes.subarray(0, 60),
  'half a body': (bytes) => bytes.subarray(0, -10),
};

/** The request with its body in valid chunks of this size. */
function inChunks(bytes: Buffer, size: number, extension: string): Buffer {
  const end = bytes.indexOf(`${CRLF}${CRLF}`);
  const head = replaceLength('Transfer-Encoding: chunked')(bytes.toString('latin1', 0, end));
  const pieces: Uint8Array[] = [Buffer.from(`${head}${CRLF}${CRLF}`, 'latin1')];
  for (let at = end + 4; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}${extension}${CRLF}`), piece, Buffer.from(CRLF));
  }
  return Buffer.concat([...pieces, Buffer.from(`0${CRLF}${CRLF}`)]);
}

const head = (edits: Readonly<Record<string, EditHead>>, statuses?: readonly number[]): fc.Arbitrary<Change> =>
  fc.constantFrom(...Object.entries(edits)).map(([what, edit]) => ({
    kind: `line: ${what}`,
    wire: inHead(edit),
    ...(statuses !== undefined && { statuses }),
  }));

/** A change in the bytes of the whole request, after which it may not be valid HTTP. */
export const bytesOnTheLine: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 300 }), fc.constantFrom('', ';a=b', ';x')).map(([size, extension]) => ({
    kind: 'line: chunks',
    wire: (bytes: Buffer) => inChunks(bytes, size, extension),
    statuses: [200],
  })),
  { arbitrary: head(REFUSED, [400]), weight: 3 },
  head(ACCEPTED, [200]),
  head(ODD),
  fc.constantFrom(...Object.entries(WHOLE)).map(([what, wire]) => ({ kind: `line: ${what}`, wire })),
  ...Object.entries(EDITS).map(([kind, edit]) =>
    edit.map((change) => ({
      kind: `line: ${kind}`,
      wire: inHead((head) => change(Buffer.from(head, 'latin1')).toString('latin1')),
    })),
  ),
);
