import type { EntityManager } from 'typeorm';
import { arrayParameter, prepared, sqlRows } from '../../database/index.js';
import type { Doubt, GiverDoubt } from './giver-doubts.js';
import type { Giver } from './giver.js';
import { isImpersonalAddress, SHARED_CONTACT_MIN_PERSONS } from './impersonal-address.js';
import type { FoldedGiver } from './match-person.js';
import { shortFormsOf } from './short-forms.js';
import { abolishedDigits, abolishedNumber, emailSpellings, isLikeName, phoneSpellings } from './spellings.js';

/** The search for persons who may be a giver that matches no one. */
export interface SimilarityQuery {
  readonly giver: FoldedGiver;
  /** All spellings of the folded e-mail address; empty if it is unusable. */
  readonly emails: readonly string[];
  /** All spellings of the phone number, including one that matching no longer accepts. */
  readonly phones: readonly string[];
  /** True if the gift has at most one usable contact: then the name alone is enough. */
  readonly byName: boolean;
}

export function similarityQuery(giver: Giver, folded: FoldedGiver): SimilarityQuery {
  const phone = folded.phone ?? abolishedNumber(giver.phone);
  return {
    giver: folded,
    emails: folded.email === null ? [] : emailSpellings(folded.email),
    phones: phone === null ? [] : phoneSpellings(phone),
    byName: folded.phone === null || folded.email === null || isImpersonalAddress(folded.email),
  };
}

/**
 * The keys to lock before {@link findSimilar}. It can find the person of one first gift for another only if both gifts
 * share a key.
 */
export function lockKeysOf({ giver, emails, phones }: SimilarityQuery): string[] {
  // A replica of the previous release locks the address in its own form.
  const previous = giver.previous?.email ?? null;
  return [...emails, ...phones, ...(previous === null ? [] : [previous]), `name ${giver.last} ${giver.first}`];
}

/** The names of a person that is similar to the giver, or of a person merged into it. */
interface SimilarRow {
  readonly person_id: number;
  readonly last_names: readonly (string | null)[];
  readonly first_names: readonly (string | null)[];
  /** The contacts of the query that the person has, confirmed or not. */
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  /** True if its phone number is one of the query's, in a spelling that matching does not accept. */
  readonly abolished_phone: boolean;
  /** True if found by name; nothing else is read then. */
  readonly namesake: boolean;
}

/** What {@link SIMILAR} compares. */
interface SearchedValues {
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly last: string | null;
  readonly first: string | null;
  readonly byName: boolean;
  /** Stored forms of abolished phone numbers. */
  readonly digits: readonly string[];
}

/**
 * SQL for the persons who are similar to a giver. It does one index look-up for each kind of similarity. Each is limited,
 * because thousands may share an address or a name.
 * match_key finds persons with an equal last name, however many share the contact. If the gift has two contacts, an equal
 * name counts only for a person without a usable contact, whom matching can never find. OFFSET 0 makes each join one
 * look-up for each row: the planner expects thousands of rows from a recursion, and would read the whole table instead.
 * What is compared stands in braces.
 */
const SIMILAR = `
  WITH RECURSIVE near AS (
    SELECT person_id AS id FROM unnest({emails}) AS sent, LATERAL (
      SELECT person_id FROM contact WHERE kind = 'email' AND folded = sent ORDER BY person_id LIMIT 50) persons
    UNION
    SELECT person_id FROM unnest({phones}) AS sent, LATERAL (
      SELECT person_id FROM contact WHERE kind = 'phone' AND folded = sent ORDER BY person_id LIMIT 50) persons
    UNION
    SELECT person_id FROM unnest({emails} || {phones}) AS sent, LATERAL (
      SELECT person_id FROM match_key WHERE contact = sent AND last_name = {last} ORDER BY first_name LIMIT 10) persons
    UNION
    SELECT id FROM unnest({digits}) AS digits, LATERAL (
      SELECT id FROM person
      WHERE CASE WHEN phone_folded IS NULL THEN regexp_replace(phone, '[^0-9]', '', 'g') END = digits
      ORDER BY id LIMIT 10) persons
  ), same AS (
    SELECT id AS person_id, id FROM near
    UNION
    SELECT same.person_id, p.id
    FROM same, LATERAL (SELECT id FROM person WHERE merged_into = same.id OFFSET 0) p
  )
  SELECT same.person_id, ARRAY[p.last_name_folded, p.former_last_name_folded] AS last_names,
    ARRAY[p.first_name_folded, p.nickname_folded] AS first_names,
    ARRAY(SELECT folded FROM contact c
      WHERE c.person_id = same.person_id AND c.kind = 'email' AND c.folded = ANY ({emails})) AS emails,
    ARRAY(SELECT folded FROM contact c
      WHERE c.person_id = same.person_id AND c.kind = 'phone' AND c.folded = ANY ({phones})) AS phones,
    COALESCE(CASE WHEN p.phone_folded IS NULL THEN regexp_replace(p.phone, '[^0-9]', '', 'g') END = ANY ({digits}), false)
      AS abolished_phone,
    false AS namesake
  FROM same, LATERAL (SELECT * FROM person WHERE id = same.id OFFSET 0) p
  UNION ALL
  SELECT id, '{}', '{}', '{}', '{}', false, true
  FROM (
    (SELECT id, merged_into FROM person WHERE last_name_folded = {last} AND first_name_folded = {first} ORDER BY id LIMIT 100)
    UNION
    (SELECT id, merged_into FROM person WHERE last_name_folded = {last} AND nickname_folded = {first} ORDER BY id LIMIT 100)
    UNION
    (SELECT id, merged_into FROM person WHERE former_last_name_folded = {last}
       AND (first_name_folded = {first} OR nickname_folded = {first}) ORDER BY id LIMIT 100)
  ) namesake
  WHERE {byName} OR NOT EXISTS (
    WITH RECURSIVE merged AS (
      SELECT namesake.id, namesake.merged_into
      UNION
      SELECT p.id, p.merged_into
      FROM merged, LATERAL (SELECT id, merged_into FROM person WHERE id = merged.merged_into OFFSET 0) p
    )
    SELECT FROM merged JOIN contact c ON c.person_id = merged.id WHERE c.folded IS NOT NULL)`;

/** {@link SIMILAR} with SQL for what is compared. */
function selectSimilar(compared: Record<keyof SearchedValues, string>): string {
  return SIMILAR.replace(/\{(\w+)\}/g, (_all, name) => compared[name as keyof SearchedValues]);
}

const SELECT_SIMILAR = prepared(
  selectSimilar({
    ...{ emails: arrayParameter('$1', 'text'), phones: arrayParameter('$2', 'text'), last: '$3', first: '$4' },
    ...{ byName: '$5::boolean', digits: arrayParameter('$6', 'text') },
  }),
);

/** The same for many givers at once. `place` is that of the giver. */
const SELECT_SIMILAR_OF_MANY = prepared(`
  SELECT giver.place::integer - 1 AS place, found.*
  FROM ROWS FROM (jsonb_to_recordset($1)
      AS (emails text[], phones text[], last text, first text, "byName" boolean, digits text[]))
    WITH ORDINALITY AS giver(emails, phones, last, first, "byName", digits, place)
    CROSS JOIN LATERAL (${selectSimilar({
      ...{ emails: 'giver.emails', phones: 'giver.phones', last: 'giver.last', first: 'giver.first' },
      ...{ byName: 'giver."byName"', digits: 'giver.digits' },
    })}) found`);

/** The doubts about a giver that matches no one and becomes a new person. Call it before the person exists. */
export async function findSimilar(tx: EntityManager, query: SimilarityQuery): Promise<Doubt[]> {
  const { emails, phones, last, first, byName, digits } = searchedValuesOf(query);
  const values = [emails, phones, last, first, byName, digits];
  return doubtsOf(query, await sqlRows<SimilarRow>(tx, SELECT_SIMILAR, values));
}

/** As {@link findSimilar}, for many givers in one statement. @returns the doubts about each, in the same order. */
export async function findSimilarOfMany(tx: EntityManager, queries: readonly SimilarityQuery[]): Promise<Doubt[][]> {
  const sent = [JSON.stringify(queries.map(searchedValuesOf))];
  const rows = await sqlRows<SimilarRow & { readonly place: number }>(tx, SELECT_SIMILAR_OF_MANY, sent);
  const found = queries.map((): SimilarRow[] => []);
  for (const { place, ...row } of rows) found[place]?.push(row);
  return queries.map((query, place) => doubtsOf(query, found[place] ?? []));
}

function searchedValuesOf({ giver, emails, phones, byName }: SimilarityQuery): SearchedValues {
  return { emails, phones, last: giver.last, first: giver.first, byName, digits: abolishedDigits(phones) };
}

/** A review lists only some of many persons: those who were added first, in whatever order they were found. */
function doubtsOf(query: SimilarityQuery, found: readonly SimilarRow[]): Doubt[] {
  const rows = [...found].sort((a, b) => a.person_id - b.person_id);
  const shared = sharedContactDoubt(query, rows);
  return [...similarityDoubts(query, rows, shared !== undefined), ...(shared === undefined ? [] : [shared])];
}

/** From the strongest to the weakest. A person is listed for the strongest one that applies. */
const SIMILARITIES = ['similar_person', 'similar_spelling', 'changed_last_name', 'known_name'] as const;

function similarityDoubts(query: SimilarityQuery, rows: readonly SimilarRow[], isShared: boolean): Doubt[] {
  const byPerson = new Map<number, number>();
  for (const row of rows) {
    const similarity = similarityOf(query, row, isShared);
    if (similarity === undefined) continue;
    const rank = SIMILARITIES.indexOf(similarity);
    byPerson.set(row.person_id, Math.min(rank, byPerson.get(row.person_id) ?? rank));
  }
  return SIMILARITIES.map((similarity, rank): Doubt => {
    return [similarity, [...byPerson].filter(([, own]) => own === rank).map(([id]) => id)];
  }).filter(([, persons]) => persons.length > 0);
}

function similarityOf(
  { giver, emails, phones }: SimilarityQuery,
  row: SimilarRow,
  isShared: boolean,
): Extract<GiverDoubt, (typeof SIMILARITIES)[number]> | undefined {
  if (row.namesake) return 'known_name';
  const hasEmail = row.emails.length > 0;
  const hasPhone = row.phones.length > 0 || row.abolished_phone;
  const hasExactly =
    (giver.email !== null && row.emails.includes(giver.email)) ||
    (giver.phone !== null && row.phones.includes(giver.phone));
  if (hasExactly && giver.last !== null && row.last_names.includes(giver.last)) return 'similar_person';
  if ((hasEmail || hasPhone) && row.last_names.some((name) => isLikeName(name, giver.last))) return 'similar_spelling';
  // The person has all contacts of the gift. A single contact is enough if few persons share it.
  const sent = [...(emails.length > 0 ? [hasEmail] : []), ...(phones.length > 0 ? [hasPhone] : [])];
  const hasAll = sent.length > 0 && sent.every(Boolean) && (sent.length > 1 || !isShared);
  return hasAll && row.first_names.some((name) => isSameFirstName(name, giver.first)) ? 'changed_last_name' : undefined;
}

function isSameFirstName(one: string | null, other: string | null): boolean {
  return isLikeName(one, other) || (one !== null && other !== null && shortFormsOf(other).includes(one));
}

/** The doubt about an e-mail address or phone number that says little about who gave; undefined if there is none. */
function sharedContactDoubt(
  { giver: { email, phone } }: SimilarityQuery,
  rows: readonly SimilarRow[],
): Doubt | undefined {
  const withEmail = personsOf(rows.filter(({ emails }) => email !== null && emails.includes(email)));
  const withPhone = personsOf(rows.filter(({ phones }) => phone !== null && phones.includes(phone)));
  const sharers = [
    ...(isShared(email, withEmail) ? [withEmail] : []),
    ...(isShared(phone, withPhone) ? [withPhone] : []),
  ];
  return sharers.length === 0 ? undefined : ['shared_contact', sharers.flat()];
}

function personsOf(rows: readonly SimilarRow[]): number[] {
  return [...new Set(rows.map(({ person_id }) => person_id))];
}

/**
 * Whether this folded contact says little about who gave.
 * @param persons those who have it, at least up to {@link SHARED_CONTACT_MIN_PERSONS}
 */
export function isShared(contact: string | null, persons: readonly number[]): boolean {
  return (
    contact !== null &&
    (persons.length >= SHARED_CONTACT_MIN_PERSONS || (contact.includes('@') && isImpersonalAddress(contact)))
  );
}
