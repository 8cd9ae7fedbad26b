import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { foldEmail, FOLDING_VERSION, foldName, foldPhone } from './folding.js';

/** The SHA-256 of the recorded forms of each version of the rule. Only append to it. */
const RECORDED: Readonly<Record<number, string>> = {
  1: 'f96b06f5449c01bc1e0e544f3b12b0aa3e059d7d3119b637326ab5097f8b210e',
  2: 'caca040a4d2bd47f8940a3c698a519f4be1ab601097c9fb87b4ce76eff09e927',
};

const WHAT_TO_DO = `The rule of folding has changed, so that stored columns and look-ups differ. If this is not intended,
revert the change. Otherwise raise FOLDING_VERSION in folding.ts, so that the next start refolds the stored values. Write
the new forms into folding-sample.json (as printed here). Append the hash of the new version to RECORDED, and do not
change the others.`;

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

/** The hash of the forms, independent of white space and the order of lines in the file. */
function hashOf({ names, emails, phones }: Sample): string {
  const lines = Object.entries({ names, emails, ...phones }).flatMap(([kind, forms]) =>
    Object.entries(forms).map((form) => JSON.stringify([kind, ...form])),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

describe('the sample of folded forms', () => {
  it('is equal to the result of the current rule', () => {
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

  it('was recorded for every version up to the current one, each with a different hash', () => {
    const versions = Object.keys(RECORDED).map(Number);
    expect(versions).toEqual(Array.from({ length: FOLDING_VERSION }, (_, i) => i + 1));
    expect(new Set(Object.values(RECORDED)).size).toBe(versions.length);
  });
});
