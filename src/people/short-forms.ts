import { readFileSync } from 'node:fs';
import { foldName } from './folding.js';
import { ADDED, EXCHANGED, LEFT_OUT } from './own-short-forms.js';

/**
 * The published list of English given names and their nicknames (nicknames/NOTICE.txt): name1,relationship,name2, no
 * quotes. Read once, when the program starts.
 */
const PUBLISHED = readFileSync(new URL('nicknames/names.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(','))
  .flatMap(([name = '', relationship, nickname = '']) => (relationship === 'has_nickname' ? [[name, nickname]] : []));

const linesOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(/[:,]/));
const pairsOf = ([name = '', ...others]: readonly string[]): string[][] => others.map((other) => [name, other]);
const amongThemselves = (names: readonly string[]): string[][] => names.flatMap((_, i) => pairsOf(names.slice(i)));

const RELATED = new Map<string, Set<string>>();
for (const pair of [...PUBLISHED, ...linesOf(ADDED).flatMap(pairsOf), ...linesOf(EXCHANGED).flatMap(amongThemselves)]) {
  bothWays(pair, (one, other) => RELATED.set(one, (RELATED.get(one) ?? new Set()).add(other)));
}
for (const pair of linesOf(LEFT_OUT).flatMap(pairsOf)) {
  bothWays(pair, (one, other) => RELATED.get(one)?.delete(other));
}

function bothWays([name = '', other = '']: readonly string[], relate: (one: string, other: string) => unknown): void {
  const [one, two] = [foldName(name), foldName(other)];
  if (one === null || two === null || one === two) return;
  relate(one, two);
  relate(two, one);
}

/**
 * The other folded first names by which bearers of this one may go: Thomas for Tom, and Tom for Thomas. Symmetric, and
 * not carried on: Alexander and Alexandra are both Alex, and are not each other.
 */
export function shortFormsOf(foldedFirstName: string): readonly string[] {
  return [...(RELATED.get(foldedFirstName) ?? [])];
}
