/** A word in which so few letters are other ones may be mistyped. Shorter words would be near to too many others. */
const SHORTEST = 3;
const SHORTEST_WITH_TWO_EDITS = 6;

const LATIN = 'abcdefghijklmnopqrstuvwxyz';

/** How many letters of a folded word may be missing, too many, exchanged or other ones in a word that is near to it. */
export function editsAllowed(word: string): 0 | 1 | 2 {
  const { length } = Array.from(word);
  if (length < SHORTEST) return 0;
  return length < SHORTEST_WITH_TWO_EDITS ? 1 : 2;
}

/** All words with one edit. So a word is also found whose first letter is another one. */
export function wordsWithOneEdit(word: string): string[] {
  const letters = Array.from(word);
  const words = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')];
    const [letter = '', next = ''] = letters.slice(at);
    if (letter !== '') words.add(before + after);
    if (next !== '') words.add(before + next + letter + letters.slice(at + 2).join(''));
    for (const other of LATIN) {
      words.add(before + other + letter + after);
      if (letter !== '') words.add(before + other + after);
    }
  }
  words.delete(word);
  return [...words];
}

/** The fewest edits that make one word of the other: a letter added, removed or replaced, or two neighbours exchanged. */
export function editsBetween(one: string, other: string): number {
  const [from, to] = [Array.from(one), Array.from(other)];
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (const [row, letter] of from.entries()) {
    const edits = [row + 1];
    for (const [column, wanted] of to.entries()) {
      const replaced = (last[column] ?? 0) + (letter === wanted ? 0 : 1);
      const isExchange = row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === wanted;
      const exchanged = isExchange ? (beforeLast[column - 1] ?? 0) + 1 : Infinity;
      edits.push(Math.min(replaced, (last[column + 1] ?? 0) + 1, (edits[column] ?? 0) + 1, exchanged));
    }
    [beforeLast, last] = [last, edits];
  }
  return last[to.length] ?? 0;
}
