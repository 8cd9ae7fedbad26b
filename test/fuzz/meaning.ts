import { type Body, must } from './answers.js';

const LARGEST = 99_999_999_999n;

/**
 * The values that the body of a gift must lead to, read independently of the service.
 * @throws Fault for a body from which no gift may be recorded.
 */
export function meaningOf(bytes: Buffer): Readonly<Record<string, string | null>> {
  const fields = fieldsOf(bytes);
  const amount = amountOf(fields.get('amount'));
  must(amount !== undefined, 'a gift was recorded without a usable amount');
  must(isChurchCurrency(fields.get('currency')), 'a gift in another currency was recorded');
  const first = textOf(fields.get('first'));
  const last = textOf(fields.get('last'));
  must(first !== undefined && last !== undefined, 'a gift was recorded without a name');
  return {
    amount,
    first,
    last,
    ...optional('notes', fields.get('notes')),
    ...optional('source', fields.get('source')),
  };
}

/** The members of the top level by their names in lower case. */
function fieldsOf(bytes: Buffer): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(parse(bytes))) {
    const folded = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    must(!fields.has(folded), 'a gift was recorded although one field was sent twice');
    fields.set(folded, value);
  }
  return fields;
}

function parse(bytes: Buffer): Body {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The error is thrown below.
  }
  must(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    'a gift was recorded from a body that is not a JSON object',
  );
  return value as Body;
}

/** The amount with two decimals, as the read-back shows it; undefined if it is invalid. */
function amountOf(sent: unknown): string | undefined {
  const text = typeof sent === 'number' ? String(sent) : typeof sent === 'string' ? trim(sent) : '';
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d\d?))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const cents = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
  if (cents < 1n || cents > LARGEST) return undefined;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

/** For a church in the United States. A blank currency counts as not sent. */
function isChurchCurrency(sent: unknown): boolean {
  if (sent === undefined || sent === null) return true;
  return (
    typeof sent === 'string' &&
    (!/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u{2800}]/u.test(sent) || /^usd$/i.test(trim(sent)))
  );
}

function textOf(sent: unknown): string | undefined {
  if (typeof sent !== 'string' || !sent.isWellFormed()) return undefined;
  const text = trim(sent).normalize('NFC');
  return text === '' ? undefined : text;
}

/** The value of an optional text. The result is empty if it is unclear whether the text counts as blank. */
function optional(name: string, sent: unknown): Record<string, string | null> {
  if (sent === undefined || sent === null) return { [name]: null };
  const text = textOf(sent);
  return text !== undefined && /[A-Za-z0-9]/.test(text) ? { [name]: text } : {};
}

function trim(text: string): string {
  return text.replace(/^[\p{White_Space}\u{FEFF}]+/u, '').replace(/[\p{White_Space}\u{FEFF}]+$/u, '');
}
