import type { EntityManager } from 'typeorm';
import { prepared, sqlRows } from '../../database/index.js';
import type { Doubt, GiverDoubt } from './giver-doubts.js';
import type { Giver } from './giver.js';
import { isImpersonalAddress, SHARED_BY_MANY } from './impersonal-address.js';
import type { FoldedGiver } from './match-person.js';
import { shortFormsOf } from './short-forms.js';
import { abolishedDigits, abolishedNumber, emailSpellings, isLikeName, phoneSpellings } from './spellings.js';

/** How persons are looked for who may be a giver that matches nobody. */
export interface SimilarityQuery {
  readonly giver: FoldedGiver;
  /** The folded e-mail address in all its spellings; none if it is unusable. */
  readonly emails: readonly string[];
  /** Likewise the phone number; also of one that matching does not accept any more. */
  readonly phones: readonly string[];
  /** Whether the gift has at most one contact that could have led to its giver: then the name alone counts. */
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
 * What two first gifts must have in common for {@link findSimilar} to find the person of the one for the other; each is
 * to be locked before.
 */
export function locksOf({ giver, emails, phones }: SimilarityQuery): string[] {
  // A replica of the release before locks the address in its own form.
  const before = giver.before?.email ?? null;
  return [...emails, ...phones, ...(before === null ? [] : [before]), `name ${giver.last} ${giver.first}`];
}

/** A name of a person that is near to the giver: its own, or that of one merged into it. */
interface NearRow {
  readonly person_id: number;
  readonly last_names: readonly (string | null)[];
  readonly first_names: readonly (string | null)[];
  /** Those of the query's that the person has, confirmed or not. */
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  /** Its phone number is one of the query's in a spelling that matching does not accept. */
  readonly abolished_phone: boolean;
  /** Found by its name, of whom nothing else is read. */
  readonly namesake: boolean;
}

/**
 * One look-up in an index for each way of being near, bounded: an address may be shared by thousands, and a name may be
 * common. match_key finds those of an equal last name however many share the contact. Where the gift has two contacts,
 * a name counts only for a person without any that is usable, whom matching can never find.
 */
const SELECT_NEAR = prepared(`
  WITH RECURSIVE near AS (
    SELECT person_id AS id FROM unnest($1::text[]) AS sent, LATERAL (
      SELECT person_id FROM contact WHERE kind = 'email' AND folded = sent ORDER BY person_id LIMIT 50) persons
    UNION
    SELECT person_id FROM unnest($2::text[]) AS sent, LATERAL (
      SELECT person_id FROM contact WHERE kind = 'phone' AND folded = sent ORDER BY person_id LIMIT 50) persons
    UNION
    SELECT person_id FROM unnest($1::text[] || $2::text[]) AS sent, LATERAL (
      SELECT person_id FROM match_key WHERE contact = sent AND last_name = $3 ORDER BY first_name LIMIT 10) persons
    UNION
    SELECT id FROM unnest($6::text[]) AS digits, LATERAL (
      SELECT id FROM person
      WHERE CASE WHEN phone_folded IS NULL THEN regexp_replace(phone, '[^0-9]', '', 'g') END = digits
      ORDER BY id LIMIT 10) persons
  ), same AS (
    SELECT id AS person_id, id FROM near
    UNION
    SELECT same.person_id, p.id FROM same JOIN person p ON p.merged_into = same.id
  )
  SELECT same.person_id, ARRAY[p.last_name_folded, p.former_last_name_folded] AS last_names,
    ARRAY[p.first_name_folded, p.nickname_folded] AS first_names,
    ARRAY(SELECT folded FROM contact c
      WHERE c.person_id = same.person_id AND c.kind = 'email' AND c.folded = ANY ($1::text[])) AS emails,
    ARRAY(SELECT folded FROM contact c
      WHERE c.person_id = same.person_id AND c.kind = 'phone' AND c.folded = ANY ($2::text[])) AS phones,
    COALESCE(CASE WHEN p.phone_folded IS NULL THEN regexp_replace(p.phone, '[^0-9]', '', 'g') END = ANY ($6::text[]), false)
      AS abolished_phone,
    false AS namesake
  FROM same JOIN person p ON p.id = same.id
  UNION ALL
  SELECT id, '{}', '{}', '{}', '{}', false, true
  FROM (
    (SELECT id, merged_into FROM person WHERE last_name_folded = $3 AND first_name_folded = $4 ORDER BY id LIMIT 100)
    UNION
    (SELECT id, merged_into FROM person WHERE last_name_folded = $3 AND nickname_folded = $4 ORDER BY id LIMIT 100)
    UNION
    (SELECT id, merged_into FROM person WHERE former_last_name_folded = $3
       AND (first_name_folded = $4 OR nickname_folded = $4) ORDER BY id LIMIT 100)
  ) namesake
  WHERE $5::boolean OR NOT EXISTS (
    SELECT FROM contact WHERE person_id IN (namesake.id, namesake.merged_into) AND folded IS NOT NULL)`);

/** The doubts about a giver that matches nobody and becomes a new person. To be called before the person exists. */
export async function findSimilar(tx: EntityManager, query: SimilarityQuery): Promise<Doubt[]> {
  const { giver, emails, phones, byName } = query;
  const values = [emails, phones, giver.last, giver.first, byName, abolishedDigits(phones)];
  const rows = await sqlRows<NearRow>(tx, SELECT_NEAR, values);
  const shared = sharersOf(query, rows);
  return [...similarityDoubts(query, rows, shared !== undefined), ...(shared === undefined ? [] : [shared])];
}

/** From the surest to the least sure: a person is named for the first that holds. */
const SIMILARITIES = ['similar_person', 'similar_spelling', 'changed_last_name', 'known_name'] as const;

function similarityDoubts(query: SimilarityQuery, rows: readonly NearRow[], isShared: boolean): Doubt[] {
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
  row: NearRow,
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
  // All contacts of the gift are the person's. A single one is enough if it is not shared by many.
  const sent = [...(emails.length > 0 ? [hasEmail] : []), ...(phones.length > 0 ? [hasPhone] : [])];
  const hasAll = sent.length > 0 && sent.every(Boolean) && (sent.length > 1 || !isShared);
  return hasAll && row.first_names.some((name) => isSameFirstName(name, giver.first)) ? 'changed_last_name' : undefined;
}

function isSameFirstName(one: string | null, other: string | null): boolean {
  return isLikeName(one, other) || (one !== null && other !== null && shortFormsOf(other).includes(one));
}

/** The doubt about an e-mail address or phone number that says little about who gave; undefined where there is none. */
function sharersOf({ giver: { email, phone } }: SimilarityQuery, rows: readonly NearRow[]): Doubt | undefined {
  const withEmail = personsOf(rows.filter(({ emails }) => email !== null && emails.includes(email)));
  const withPhone = personsOf(rows.filter(({ phones }) => phone !== null && phones.includes(phone)));
  const sharers = [
    ...(isShared(email, withEmail) ? [withEmail] : []),
    ...(isShared(phone, withPhone) ? [withPhone] : []),
  ];
  return sharers.length === 0 ? undefined : ['shared_contact', sharers.flat()];
}

function personsOf(rows: readonly NearRow[]): number[] {
  return [...new Set(rows.map(({ person_id }) => person_id))];
}

/** Whether this contact, folded, says little about who gave. @param persons those who have it, as far as they count. */
export function isShared(contact: string | null, persons: readonly number[]): boolean {
  return (
    contact !== null && (persons.length >= SHARED_BY_MANY || (contact.includes('@') && isImpersonalAddress(contact)))
  );
}
