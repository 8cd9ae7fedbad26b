import type { TermKind } from './gift-term.entity.js';
import { conditionsOf } from '../listing/contribution-filter.js';
import { foldEmail, type GiversFound, notesWords, searchedPhone, searchWords } from '../../../people/index.js';
import { type MinorUnits, isFault, readPathId } from '../../../values/index.js';
import { searchedAmount } from './searched-amount.js';
import type { AddParameter } from './gift-filter.js';

/** How a gift was found. `giver` is its person as it is now, `giverAsSent` the details that came with it. */
export const WAYS_TO_MATCH = [
  'contributionId',
  'transactionId',
  'checkNumber',
  'amount',
  'giver',
  'giverAsSent',
  'notes',
] as const;

export type WayToMatch = (typeof WAYS_TO_MATCH)[number];

/** SQL for one way in which a text finds gifts `c`. */
export interface GiftMatch {
  readonly by: WayToMatch;
  /** FROM, with `c`. */
  readonly from: string;
  readonly where: string;
  /** The id of the gift in the order of an index that `from` goes along; undefined: those found are read, then sorted. */
  readonly id?: string;
  /** Whether presumably many of all gifts have it. `where` then needs the columns `id` and `person_id` only. */
  readonly isFrequent?: boolean;
}

/** What the church's settings say about amounts and phone numbers. */
export interface Notations {
  readonly minorUnits: MinorUnits;
  /** ISO 3166. */
  readonly country: string;
}

/** Up to so many persons, the gifts of each are looked up. Of more persons, the gifts are found along the ids. */
const FEW_GIVERS = 600;

/** All ways in which the text can find gifts, except by their persons. */
export function matchesOfText(text: string, notations: Notations, add: AddParameter): GiftMatch[] {
  const id = readPathId(text);
  const amount = searchedAmount(text, notations.minorUnits);
  return [
    ...(isFault(id)
      ? []
      : [{ by: 'contributionId' as const, from: 'contribution c', where: giftOfEntry(add(id.value)) }]),
    { by: 'transactionId', from: 'contribution c', where: conditionsOf({ transactionId: text }, add).join(' AND ') },
    { by: 'checkNumber', from: 'contribution c', where: conditionsOf({ checkNumber: text }, add).join(' AND ') },
    ...(amount === undefined ? [] : [{ by: 'amount' as const, ...hasAmount(amount, add) }]),
    ...matchesAsSent(text, notations.country, add).map((match) => ({ by: 'giverAsSent' as const, ...match })),
    ...hasTerms(
      'notes',
      notesWords(text).map((word) => [word]),
      add,
    ).map((match) => ({ by: 'notes' as const, ...match })),
  ];
}

/** The gifts of these persons. */
export function matchOfGivers({ ids, isFound }: GiversFound, add: AddParameter): GiftMatch[] {
  if (ids?.length === 0) return [];
  const from = 'contribution c';
  if (ids === undefined)
    return [{ by: 'giver', from, where: isFound('c.person_id', add), id: 'c.id', isFrequent: true }];
  const persons = `ANY (${add(ids)}::integer[])`;
  // With "+ 0" the index on persons is not used: sorting the gifts of so many persons takes longer than going by id.
  return ids.length <= FEW_GIVERS
    ? [{ by: 'giver', from, where: `c.person_id = ${persons}` }]
    : [{ by: 'giver', from, where: `c.person_id + 0 = ${persons}`, id: 'c.id' }];
}

/** Gifts of exactly this stored amount, or whose payment has it. */
export function hasAmount(amount: string, add: AddParameter): Omit<GiftMatch, 'by'> {
  const [match] = hasTerms('amount', [[amount]], add);
  if (match === undefined) throw new Error('An amount is a term');
  return match;
}

function matchesAsSent(text: string, country: string, add: AddParameter): Omit<GiftMatch, 'by'>[] {
  const email = text.includes('@') ? foldEmail(text) : null;
  const phone = searchedPhone(text, country);
  const names = searchWords(text).map(({ prefix, shortForms }) => [prefix, ...shortForms]);
  return [
    ...hasTerms('name', names, add),
    ...(email === null ? [] : hasTerms('email', [[email]], add)),
    ...(phone === null ? [] : hasTerms('phone', [[phone]], add)),
  ];
}

/**
 * Gifts that have, for each list, one of its terms. The list with the longest first term is looked up first, because
 * presumably the fewest gifts have it. A single term is an order of the index.
 */
function hasTerms(kind: TermKind, terms: readonly (readonly string[])[], add: AddParameter): Omit<GiftMatch, 'by'>[] {
  const [rarest, ...others] = [...terms].sort(([one = ''], [other = '']) => other.length - one.length);
  if (rarest === undefined) return [];
  const isOne = (row: string, alternatives: readonly string[]): string =>
    alternatives.length === 1
      ? `${row}.kind = '${kind}' AND ${row}.term = ${add(alternatives[0])}`
      : `${row}.kind = '${kind}' AND ${row}.term = ANY (${add(alternatives)}::text[])`;
  const alsoHas = others.map(
    (alternatives) =>
      ` AND EXISTS (SELECT FROM gift_term o WHERE ${isOne('o', alternatives)} AND o.contribution_id = t.contribution_id OFFSET 0)`,
  );
  return [
    {
      from: 'gift_term t JOIN contribution c ON c.id = t.contribution_id',
      where: isOne('t', rarest) + alsoHas.join(''),
      ...(rarest.length === 1 && { id: 't.contribution_id' }),
    },
  ];
}

/** The id of another entry leads to its gift. */
function giftOfEntry(id: string): string {
  return `c.id = (SELECT COALESCE(reverses_id, moves_id, id) FROM contribution WHERE id = ${id})`;
}
