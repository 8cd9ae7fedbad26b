import { type Body, must } from './answers.js';

const LARGEST = 99_999_999_999n;
const MOST_SPLITS = 20;

/**
 * The values that a gift must lead to, read independently of the service.
 * @param sent its JSON object.
 * @throws Fault for an object from which no gift may be recorded.
 */
export function meaningOf(sent: Body): Readonly<Record<string, string | number | null>> {
  const fields = fieldsOf(sent);
  const amount = amountOf(fields.get('amount'));
  must(amount !== undefined, 'a gift was recorded without a usable amount');
  must(isChurchCurrency(fields.get('currency')), 'a gift in another currency was recorded');
  const first = textOf(fields.get('first'));
  const last = textOf(fields.get('last'));
  must(first !== undefined && last !== undefined, 'a gift was recorded without a name');
  const splits = fields.get('splits');
  return {
    paid: amount,
    first,
    last,
    ...optional('source', fields.get('source')),
    ...optional('checkNumber', fields.get('checknumber')),
    ...optional('payoutId', fields.get('payoutid')),
    ...(Array.isArray(splits)
      ? meaningOfSplits(splits, amount)
      : { parts: 1, amount, ...optional('notes', fields.get('notes')) }),
  };
}

/** The number of the parts, and the amount of the first one. @throws Fault unless they add up to what was paid. */
function meaningOfSplits(splits: readonly unknown[], paid: string): Record<string, string | number> {
  const amounts = splits.map((split) => amountOf(fieldsOf(asObject(split)).get('amount')));
  const cents = amounts.reduce((total, amount) => total + BigInt(amount?.replace('.', '') ?? 0), 0n);
  must(cents === BigInt(paid.replace('.', '')), 'parts were recorded that do not add up to the gift');
  must(amounts.length <= MOST_SPLITS && !amounts.includes(undefined), 'a part was recorded without a usable amount');
  return { parts: amounts.length, amount: amounts[0] ?? '' };
}

/** The gifts of a batch. @throws Fault for a body from which nothing may be recorded. */
export function giftsOf(bytes: Buffer): Body[] {
  const gifts = fieldsOf(bodyOf(bytes)).get('gifts');
  must(Array.isArray(gifts), 'gifts were recorded from a body without them');
  return gifts.map(asObject);
}

/** Checks that a deposit has the amount and the items that were sent. @throws Fault */
export function assertDeposit(answer: Body, sent: Body): void {
  const fields = fieldsOf(sent);
  const amount = fields.get('amount');
  const isNone = amount === undefined || amount === null || isBlank(amount);
  const text = trim(String(amount)).replace('\u2212', '-');
  const size = amountOf(text.replace(/^-/, '')) ?? '0.00';
  const wanted = isNone ? null : text.startsWith('-') && size !== '0.00' ? `-${size}` : size;
  must(answer['amount'] === wanted, `the amount should be ${String(wanted)} and is ${String(answer['amount'])}`);
  const items = fields.get('items') ?? [];
  must(Array.isArray(items), 'a deposit was stored with items that are no list');
  const names = new Set(
    items.map((item) => JSON.stringify([...fieldsOf(asObject(item))].filter(([, value]) => value !== null))),
  );
  must(Number(answer['itemCount']) <= items.length, 'a deposit has more items than were sent');
  must(items.length === 0 || Number(answer['itemCount']) >= 1, 'the items of a deposit were not stored');
  must(names.size > 0 || answer['itemCount'] === 0, 'a deposit has items that were not sent');
}

/** The amount that a body or query asks to take back; undefined if it names none. @throws Fault for an unusable one. */
export function amountToTakeBack(sent: Body): string | undefined {
  const value = fieldsOf(sent).get('amount');
  if (value === undefined || value === null || isBlank(value)) return undefined;
  const amount = amountOf(value);
  must(amount !== undefined, 'something was taken back although its amount is not usable');
  return amount;
}

/** The members of an object by their names in lower case. */
function fieldsOf(sent: Body): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(sent)) {
    const folded = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    must(!fields.has(folded), 'something was recorded although one field was sent twice');
    fields.set(folded, value);
  }
  return fields;
}

/** The object in a body. @throws Fault if there is none. */
export function bodyOf(bytes: Buffer): Body {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The error is thrown below.
  }
  return asObject(value);
}

function asObject(value: unknown): Body {
  must(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    'something was recorded from a value that is not a JSON object',
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
  return typeof sent === 'string' && (isBlank(sent) || /^usd$/i.test(trim(sent)));
}

function isBlank(sent: unknown): boolean {
  return typeof sent === 'string' && !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u{2800}]/u.test(sent);
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
