import { searchedPhone, searchWords, type SearchWord } from './search-words.js';
import { isFault, readPathId } from '../../values/index.js';

/** What a search for people says. */
export interface PersonQuery {
  /** A person has all of them. */
  readonly words: readonly SearchWord[];
  /** A phone number as it is stored in person_term; null if the text is none. */
  readonly phone: string | null;
  /** A PeopleId; null if the text is none. */
  readonly id: number | null;
}

/** Adds a value to a statement and returns its `$1`, `$2`, … */
export type AddParameter = (value: unknown) => string;

/** @param country of phone numbers without a country code (ISO 3166) */
export function personQuery(text: string, country: string): PersonQuery {
  const id = readPathId(text.trim());
  const words = searchWords(text);
  return { words, phone: searchedPhone(text, country), id: isFault(id) ? null : id.value };
}

/** Sorts after every text that begins with a prefix, in the collation "C". */
export const LAST_CHARACTER = '\u{10FFFF}';

/** SQL conditions on a row of person_term, of which a row with the word has one. */
function alternatives(row: string, { prefix, shortForms }: SearchWord, add: AddParameter): string[] {
  const begins = `${row}.term >= ${add(prefix)} AND ${row}.term < ${add(prefix + LAST_CHARACTER)}`;
  if (shortForms.length === 0) return [begins];
  const forms = `ANY (${add(shortForms)}::text[])`;
  return [begins, `(${row}.term = ${forms} AND (${row}.person_id, ${row}.term) NOT IN (${lastNames(forms)}))`];
}

/**
 * SQL for the persons who have one of the forms as last name or former last name, and not as first name: only first names have
 * short forms. A Mr. Lee is not Ashley. They are few, and read once from the indexes of names: reading each person that has a
 * short form takes forty times as long as finding them.
 */
function lastNames(forms: string): string {
  const withName = (column: string): string => `
    SELECT id, ${column} FROM person
    WHERE ${column} = ${forms} AND COALESCE(right(first_name_folded, length(${column})) <> ${column}, true)`;
  return `${withName('last_name_folded')} UNION ALL ${withName('former_last_name_folded')}`;
}

/**
 * SQL for a table of the persons with the word: `person_id`, several times for several names. A condition with OR would
 * read all of them before a LIMIT counts.
 */
export function personsWith(word: SearchWord, add: AddParameter): string {
  const parts = alternatives('w', word, add).map(
    (condition) => `SELECT w.person_id FROM person_term w WHERE ${condition}`,
  );
  return `(${parts.join(' UNION ALL ')})`;
}

/**
 * SQL for whether a person has all these words. @param personId SQL for the id. With OFFSET 0 each person is looked up by
 * itself: a join would read all persons that have the word.
 */
export function hasAllWords(personId: string, words: readonly SearchWord[], add: AddParameter): string {
  const conditions = words.map(
    (word) =>
      `EXISTS (SELECT FROM person_term w WHERE w.person_id = ${personId} AND (${alternatives('w', word, add).join(' OR ')}) OFFSET 0)`,
  );
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}

/** The word that fewest people have, presumably: the longest. The persons that have it are looked up first. */
export function rarestFirst(words: readonly SearchWord[]): SearchWord[] {
  return [...words].sort((one, other) => other.prefix.length - one.prefix.length);
}

/** SQL for whether a person has all of these as whole names or addresses. @param personId SQL for the id. */
export function hasWholeWords(personId: string, words: readonly SearchWord[], add: AddParameter): string {
  return `NOT EXISTS (
    SELECT FROM unnest(${add(words.map(({ prefix }) => prefix))}::text[]) AS whole
    WHERE NOT EXISTS (SELECT FROM person_term w WHERE w.person_id = ${personId} AND w.term = whole OFFSET 0) OFFSET 0)`;
}
