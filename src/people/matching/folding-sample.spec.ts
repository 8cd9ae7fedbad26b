import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { foldEmail, FOLDING_VERSION, foldName, foldPhone } from './folding.js';

/** What is stored by each version of the rule, as SHA-256 of the recorded forms. Only ever appended to. */
const RECORDED: Readonly<Record<number, string>> = {
  1: 'f96b06f5449c01bc1e0e544f3b12b0aa3e059d7d3119b637326ab5097f8b210e',
  2: 'caca040a4d2bd47f8940a3c698a519f4be1ab601097c9fb87b4ce76eff09e927',
};

const WHAT_TO_DO = `The rule of folding has changed, so that stored columns and look-ups differ. Either take the change
back, or, if it is meant: raise FOLDING_VERSION in folding.ts, so that the next start folds anew what is stored; write
the fresh forms into folding-sample.json (as printed here); append the new version's hash to RECORDED, and leave the
others as they are.`;

interface Sample {
  readonly names: Readonly<Record<string, string | null>>;
  readonly emails: Readonly<Record<string, string | null>>;
  /** By the country whose numbers are written without a code. */
  readonly phones: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
}

const sample = JSON.parse(readFileSync(new URL('folding-sample.json', import.meta.url), 'utf8')) as Sample;

function foldAll(texts: object, fold: (text: string) => string | null): Record<string, string | null> {
  return Object.fromEntries(Object.keys(texts).map((text) => [text, fold(text)]));
}

const fresh = (): Sample => ({
  names: foldAll(sample.names, foldName),
  emails: foldAll(sample.emails, foldEmail),
  phones: Object.fromEntries(
    Object.entries(sample.phones).map(([country, phones]) => [
      country,
      foldAll(phones, (phone) => foldPhone(phone, country)),
    ]),
  ),
});

/** Of the forms alone: neither white space nor the order of the file's lines counts. */
function hashOf({ names, emails, phones }: Sample): string {
  const lines = Object.entries({ names, emails, ...phones }).flatMap(([kind, forms]) =>
    Object.entries(forms).map((form) => JSON.stringify([kind, ...form])),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

describe('the sample of folded forms', () => {
  it('is what the rule makes of it today', () => {
    if (JSON.stringify(fresh()) !== JSON.stringify(sample)) {
      process.stderr.write(`\n${WHAT_TO_DO}\n\n${JSON.stringify(fresh(), undefined, 2)}\n`);
    }
    expect(fresh()).toEqual(sample);
  });

  it('has not changed since this version of the rule was recorded', () => {
    const recorded = RECORDED[FOLDING_VERSION];
    if (recorded !== hashOf(sample)) {
      throw new Error(`${WHAT_TO_DO}\nRecorded for version ${FOLDING_VERSION}: ${recorded}, now: ${hashOf(sample)}`);
    }
  });

  it('was recorded for every version up to today’s, each in another form', () => {
    const versions = Object.keys(RECORDED).map(Number);
    expect(versions).toEqual(Array.from({ length: FOLDING_VERSION }, (_, i) => i + 1));
    expect(new Set(Object.values(RECORDED)).size).toBe(versions.length);
  });
});
