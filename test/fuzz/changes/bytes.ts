import fc from 'fast-check';
import type { Change } from '../request.js';

/** A position in a text of any length. It shrinks towards the beginning. */
const place = fc.nat({ max: 4_000 });

const at = (bytes: Buffer, position: number): number => (bytes.length === 0 ? 0 : position % bytes.length);

/** Sequences that are invalid in UTF-8 or that parsers often handle incorrectly. */
const SEQUENCES = [
  ...['ff', 'fe', 'c328', 'c0af', 'e282', 'eda080', 'f4908080', '80', 'f8a1a1a1a1', 'efbbbf', '00', 'e280a8'],
  ...['efbfbe', '7f', '1b5b'],
];

const insertion = fc.oneof(
  fc.constantFrom(...SEQUENCES).map((hex) => Buffer.from(hex, 'hex')),
  fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
);

const splice = (bytes: Buffer, from: number, until: number, between: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(until)]);

type Edit = (bytes: Buffer) => Buffer;

const flip: fc.Arbitrary<Edit> = fc.tuple(place, fc.nat({ max: 7 })).map(([position, bit]) => (bytes) => {
  const flipped = Buffer.from(bytes);
  const index = at(bytes, position);
  if (index < flipped.length) flipped.writeUInt8((flipped[index] ?? 0) ^ (1 << bit), index);
  return flipped;
});
const insert: fc.Arbitrary<Edit> = fc.tuple(place, insertion).map(
  ([position, between]) =>
    (bytes) =>
      splice(bytes, at(bytes, position), at(bytes, position), between),
);
const remove: fc.Arbitrary<Edit> = fc.tuple(place, fc.integer({ min: 1, max: 20 })).map(
  ([position, count]) =>
    (bytes) =>
      splice(bytes, at(bytes, position), at(bytes, position) + count, Buffer.alloc(0)),
);
const truncate: fc.Arbitrary<Edit> = place.map((position) => (bytes) => bytes.subarray(0, at(bytes, position)));
const duplicate: fc.Arbitrary<Edit> = fc
  .tuple(place, fc.integer({ min: 1, max: 60 }))
  .map(([position, count]) => (bytes) => {
    const from = at(bytes, position);
    return splice(bytes, from, from, bytes.subarray(from, from + count));
  });
const overwrite: fc.Arbitrary<Edit> = fc.tuple(place, insertion).map(
  ([position, between]) =>
    (bytes) =>
      splice(bytes, at(bytes, position), at(bytes, position) + between.length, between),
);

/** Edits of bytes by kind, regardless of what the bytes mean. */
export const EDITS = {
  'flip a bit': flip,
  'insert bytes': insert,
  'delete bytes': remove,
  truncate,
  'repeat a slice': duplicate,
  'overwrite bytes': overwrite,
};

/** A change in the bytes of the body. */
export const bytesOfBody: fc.Arbitrary<Change> = fc.oneof(
  ...Object.entries(EDITS).map(([kind, edit]) => edit.map((body): Change => ({ kind: `body: ${kind}`, body }))),
);
