import { readFileSync } from 'node:fs';
import { foldName } from './folding.js';

/** The fields of each line of a data file. Files are read once, when the program starts. */
function linesOf(file: string): string[][] {
  const text = readFileSync(new URL(`nicknames/${file}`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(/[:,]/));
}

/** The published list of English given names and their nicknames (nicknames/NOTICE.txt): name1,relationship,name2. */
const PUBLISHED = linesOf('names.csv').flatMap(([name = '', relationship, nickname = '']) =>
  relationship === 'has_nickname' ? [[name, nickname]] : [],
);

const pairsOf = ([name = '', ...others]: readonly string[]): string[][] => others.map((other) => [name, other]);
const allPairsOf = (names: readonly string[]): string[][] => names.flatMap((_, i) => pairsOf(names.slice(i)));

const RELATED = new Map<string, Set<string>>();
const added = linesOf('added.txt').flatMap(pairsOf);
const interchangeable = linesOf('interchangeable.txt').flatMap(allPairsOf);
for (const pair of [...PUBLISHED, ...added, ...interchangeable]) {
  bothWays(pair, (one, other) => RELATED.set(one, (RELATED.get(one) ?? new Set()).add(other)));
}
for (const pair of linesOf('left-out.txt').flatMap(pairsOf)) {
  bothWays(pair, (one, other) => RELATED.get(one)?.delete(other));
}

function bothWays([name = '', other = '']: readonly string[], relate: (one: string, other: string) => unknown): void {
  const [one, two] = [foldName(name), foldName(other)];
  if (one === null || two === null || one === two) return;
  relate(one, two);
  relate(two, one);
}

/**
 * The folded first names that a person with this one may also use: Thomas for Tom, and Tom for Thomas. The relation is
 * symmetric but not transitive: Alexander and Alexandra are both Alex, but not each other.
 */
export function shortFormsOf(foldedFirstName: string): readonly string[] {
  return [...(RELATED.get(foldedFirstName) ?? [])];
}
