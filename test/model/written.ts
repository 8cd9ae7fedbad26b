import { decimal } from './views.js';
import type { GiftRequest, Split, TakeBack } from './operation.js';
import type { Random } from './random.js';

type Fields = [name: string, json: string][];

/**
 * The request as JSON text in a random notation with the same meaning: order and letter case of names, white space
 * around texts, composed or decomposed letters, numbers as texts, missing fields as null, blank or 0, unknown fields.
 */
export function written(request: GiftRequest, random: Random): string {
  const { giver } = request;
  const fields: Fields = [
    ['First', text(giver.first.sent, random)],
    ['Last', text(giver.last.sent, random)],
    ['Email', text(giver.email.sent, random)],
    ['Phone', number(giver.phone.sent, random)],
    ['Amount', amount(request.cents, random)],
    ...optional('Date', request.date?.sent, random),
    ...optional('Notes', request.notes, random),
    ...optional('Currency', inSomeCase(request.currency ?? '', random) || undefined, random),
    ...optional('Source', request.source, random),
    ...optional('TransactionId', request.transactionId, random),
    ...id('FundId', request.fundId, random),
    ...id('PeopleId', request.peopleId, random),
    ...id('BundleTypeId', request.bundleTypeId, random),
    ...id('ContributionTypeId', request.contributionTypeId, random),
    ...(request.ignoreUnknownPerson === true ? [flag(random)] : []),
    ...optional('Method', request.method && inSomeCase(request.method, random), random),
    ...optional('CheckNumber', request.checkNumber, random),
    ...optional('PayoutId', request.payoutId, random),
    ...optional('FundName', request.fundName?.sent, random),
    ...(request.feeCents === undefined ? [] : ([['Fee', amount(request.feeCents, random)]] as Fields)),
    ...splits(request.splits, random),
  ];
  return object(fields, random);
}

/** The body of a batch. */
export function batchWritten(requests: readonly GiftRequest[], random: Random): string {
  return `{"${inSomeCase('Gifts', random)}":[${requests.map((request) => written(request, random)).join(',')}]}`;
}

/** The query of a reversal, in a random notation, with its question mark; empty if all that is left is to be taken back. */
export function queryOf({ cents, reason, fundId, refundId }: TakeBack, random: Random): string {
  const parameters: [string, string | undefined][] = [
    ['amount', cents === undefined ? undefined : digits(cents, random)],
    ['reason', reason && inSomeCase(reason, random)],
    ['fundId', fundId?.toString()],
    ['refundId', refundId],
  ];
  const sent = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return sent.length === 0 ? '' : `?${random.shuffled(sent).join('&')}`;
}

function object(fields: Fields, random: Random): string {
  const unknown: Fields = random.percent(10) ? [['Unknown', '{"Amount":1}']] : [];
  const members = random
    .shuffled([...fields, ...unknown])
    .map(([name, json]) => `${JSON.stringify(inSomeCase(name, random))}:${json}`);
  return `{${members.join(',')}}`;
}

function splits(parts: readonly Split[] | undefined, random: Random): Fields {
  if (parts === undefined) return random.percent(5) ? [['Splits', 'null']] : [];
  const objects = parts.map((part) =>
    object(
      [
        ['Amount', amount(part.cents, random)],
        ...id('FundId', part.fundId, random),
        ...optional('FundName', part.fundName?.sent, random),
        ...optional('Notes', part.notes, random),
        ...id('ContributionTypeId', part.contributionTypeId, random),
      ],
      random,
    ),
  );
  return [['Splits', `[${objects.join(',')}]`]];
}

function inSomeCase(name: string, random: Random): string {
  if (random.percent(80)) return name;
  return random.pick([name.toLowerCase(), name.toUpperCase(), name.charAt(0).toLowerCase() + name.slice(1)]);
}

function text(value: string, random: Random): string {
  const decomposed = random.percent(10) ? value.normalize('NFD') : value;
  return JSON.stringify(random.percent(10) ? ` ${decomposed}\u{A0}` : decomposed);
}

/** A text that consists of digits may also be a JSON number. */
function number(value: string, random: Random): string {
  return /^[1-9]\d*$/.test(value) && random.percent(50) ? value : text(value, random);
}

/** 10.50 as "10.5", 10.5, "10.50" or 10.50. */
function amount(cents: number, random: Random): string {
  const written = digits(cents, random);
  return random.percent(50) ? written : text(written, random);
}

function digits(cents: number, random: Random): string {
  const full = decimal(cents);
  return random.pick([full, full.replace(/\.?0+$/, '')]);
}

function optional(name: string, value: string | undefined, random: Random): [string, string][] {
  if (value !== undefined) return [[name, text(value, random)]];
  return random.percent(10) ? [[name, random.pick(['null', '""', '" "'])]] : [];
}

function id(name: string, value: number | undefined, random: Random): [string, string][] {
  if (value !== undefined) return [[name, random.percent(80) ? `${value}` : `"${value}"`]];
  return random.percent(10) ? [[name, random.pick(['null', '0', '""'])]] : [];
}

function flag(random: Random): [string, string] {
  return ['IgnoreUnknownPerson', random.pick(['true', '"true"', '"TRUE"'])];
}
