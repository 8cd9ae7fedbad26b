import type { Church } from '../../../../config/index.js';
import { lastAmountIn, notationOfCountry, takeDays } from '../../../notations/index.js';
import type { DepositView } from '../../deposit-view.js';

/** The most characters of pasted lines, so that they fit into a form beside all rows. */
export const LONGEST_PASTE = 15_000;

/** What is looked for in the lines. */
type Listed = Pick<DepositView, 'id' | 'depositId' | 'currency'>;

/** A deposit whose amount is not asked for any more. */
export type Reconciled = Pick<DepositView, 'id' | 'depositId'>;

/** The texts of pasted lines that may be payout ids: what is between spaces, quotes and separators of columns. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;"']+/u).filter((word) => word !== ''))];
}

/** What a line says of a deposit. */
export interface FilledRow {
  readonly id: number;
  /** As the form has it: "1234.50". */
  readonly amount: string;
  /** YYYY-MM-DD; undefined if the line has none. */
  readonly day: string | undefined;
}

/** A line that fills no row. */
export interface UnmatchedLine {
  /** As it was pasted. */
  readonly text: string;
  /** Why, as a sentence. */
  readonly reason: string;
}

/** What became of pasted lines. Each line with text either fills a row, or is unmatched. */
export interface ReadPaste {
  readonly filled: readonly FilledRow[];
  readonly unmatched: readonly UnmatchedLine[];
}

type Place = Pick<Church, 'country' | 'slashDates' | 'minorUnits'>;

/**
 * Finds for each line of a bank's statement the deposit that it names by its payout id, its amount, and its day. A deposit that
 * several lines name is not filled: only a person can say which one is right.
 * @param reconciled deposits that are not listed any more, to say so.
 * @param church in whose notation amounts and dates are.
 */
export function readPastedLines(
  text: string,
  { deposits, reconciled }: { readonly deposits: readonly Listed[]; readonly reconciled: readonly Reconciled[] },
  church: Place,
): ReadPaste {
  const named = deposits.map((deposit) => ({ deposit, name: wordOf(deposit.depositId) }));
  const done = reconciled.map((deposit) => ({ deposit, name: wordOf(deposit.depositId) }));
  const read = text
    .split(/\r\n|\r|\n/u)
    .filter((line) => line.trim() !== '')
    .map((line) => ({ text: line, ...readLine(line, { named, done }, church) }));
  const times = new Map<number, number>();
  for (const { ids } of read) for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  const filled: FilledRow[] = [];
  const unmatched: UnmatchedLine[] = [];
  for (const { text: line, ids, row, reason } of read) {
    const isRepeated = ids.some((id) => (times.get(id) ?? 0) > 1);
    if (row !== undefined && !isRepeated) filled.push(row);
    else
      unmatched.push({ text: line, reason: row === undefined ? reason : `Another line names deposit ${row.id}, too.` });
  }
  return { filled, unmatched };
}

/** What one line says. Without a row, the reason says why. */
interface ReadLine {
  /** The deposits that it names. */
  readonly ids: readonly number[];
  readonly row?: FilledRow;
  readonly reason: string;
}

interface Named<Deposit> {
  readonly deposit: Deposit;
  readonly name: RegExp;
}

interface Known {
  readonly named: readonly Named<Listed>[];
  readonly done: readonly Named<Reconciled>[];
}

function readLine(line: string, { named, done }: Known, church: Place): ReadLine {
  const found = named.filter(({ name }) => name.test(line));
  const ids = found.map(({ deposit: { id } }) => id);
  const [only, another] = found;
  if (only === undefined) return { ids, reason: whyUnknown(line, done) };
  if (another !== undefined) return { ids, reason: `It names several deposits: ${ids.join(', ')}.` };
  const { id, currency } = only.deposit;
  const withoutName = line.replaceAll(new RegExp(only.name, 'giu'), blank);
  const { days, rest } = takeDays(withoutName, church.slashDates);
  const money = lastAmountIn(rest, notationOfCountry(church.country), church.minorUnits);
  if (money === undefined) return { ids, reason: `It has no amount that can be read for deposit ${id}.` };
  if (money.currencies?.includes(currency) === false)
    return { ids, reason: `Its amount is in ${money.currencies[0] ?? ''}, and deposit ${id} is in ${currency}.` };
  return { ids, row: { id, amount: money.text, day: days[0] }, reason: '' };
}

/** Why a line that names no listed deposit fills no row. */
function whyUnknown(line: string, done: readonly Named<Reconciled>[]): string {
  const reconciled = done.find(({ name }) => name.test(line));
  return reconciled === undefined
    ? 'It names the payout id of no deposit that is listed here.'
    : `Deposit ${reconciled.deposit.id} is already reconciled.`;
}

/** Keeps the places of what follows. */
function blank(text: string): string {
  return ' '.repeat(text.length);
}

/**
 * A payout id as a whole word, in any case. Hyphens, and full stops and slashes within a word, belong to words: "po-1" is no part
 * of "po-1-2". Digits alone are not a part of a longer number.
 */
function wordOf(payoutId: string): RegExp {
  const escaped = payoutId.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
  const within = /^\d+$/u.test(payoutId) ? '[.,:/]' : '[./]';
  return new RegExp(
    `(?<![\\p{L}\\p{N}_-])(?<![\\p{L}\\p{N}]${within})${escaped}(?![\\p{L}\\p{N}_-])(?!${within}[\\p{L}\\p{N}])`,
    'iu',
  );
}
