import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../database/index.js';
import { foldEmail, nameWords, notesWords, phoneTerm } from '../../../people/index.js';
import { isGift } from '../../ledger/index.js';
import type { TermKind } from './gift-term.entity.js';

/** The details of a gift that its person does not have in the same spelling; null: the person has it. */
interface DetailsRow {
  readonly id: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
}

/** The amount of a split payment finds its parts, too: it is what the bank shows. */
const INSERT_AMOUNTS = `
  INSERT INTO gift_term (kind, term, contribution_id)
  SELECT 'amount', c.amount::text, c.id FROM contribution c WHERE c.id = ANY ($1::integer[]) AND ${isGift('c')}
  UNION
  SELECT 'amount', p.amount::text, c.id FROM contribution c JOIN payment p ON p.id = c.payment_id
  WHERE c.id = ANY ($1::integer[]) AND ${isGift('c')} AND c.reinstates_id IS NULL AND p.amount <> c.amount
  ON CONFLICT DO NOTHING`;

/**
 * Of most gifts nothing has to be folded, because the person has all details as they were sent. If one of the names
 * differs, both are stored: a search for the whole name finds all of its words in one place.
 */
const SELECT_DETAILS = `
  SELECT c.id, CASE WHEN c.giver_last <> p.last_name THEN c.giver_first ELSE NULLIF(c.giver_first, p.first_name) END AS first,
    CASE WHEN c.giver_first <> p.first_name THEN c.giver_last ELSE NULLIF(c.giver_last, p.last_name) END AS last,
    NULLIF(c.giver_email, p.email) AS email, NULLIF(c.giver_phone, p.phone) AS phone, c.notes
  FROM contribution c JOIN person p ON p.id = c.person_id
  WHERE c.id = ANY ($1::integer[]) AND ${isGift('c')}
    AND (c.notes IS NOT NULL
      OR (c.giver_first, c.giver_last, c.giver_email, c.giver_phone) <> (p.first_name, p.last_name, p.email, p.phone))`;

const INSERT_TERMS = `
  INSERT INTO gift_term (kind, term, contribution_id) SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::integer[])
  ON CONFLICT DO NOTHING`;

/** Stores the terms of these gifts. Other entries among the ids have none. @param country of phone numbers (ISO 3166) */
export async function indexGifts(tx: EntityManager, ids: readonly number[], country: string): Promise<void> {
  if (ids.length === 0) return;
  await sqlRows(tx, INSERT_AMOUNTS, [ids]);
  const details = await sqlRows<DetailsRow>(tx, SELECT_DETAILS, [ids]);
  const terms = details.flatMap((row) => termsOf(row, country).map(([kind, term]) => [kind, term, row.id] as const));
  if (terms.length === 0) return;
  await sqlRows(tx, INSERT_TERMS, [
    terms.map(([kind]) => kind),
    terms.map(([, term]) => term),
    terms.map(([, , id]) => id),
  ]);
}

function termsOf({ first, last, email, phone, notes }: DetailsRow, country: string): (readonly [TermKind, string])[] {
  const terms: readonly (readonly [TermKind, string | null])[] = [
    ...[first, last].flatMap((name) => (name === null ? [] : nameWords(name))).map((word) => ['name', word] as const),
    ...(email === null ? [] : [['email', foldEmail(email)] as const]),
    ...(phone === null ? [] : [['phone', phoneTerm(phone, country)] as const]),
    ...(notes === null ? [] : notesWords(notes).map((word) => ['notes', word] as const)),
  ];
  return terms.filter((term): term is readonly [TermKind, string] => term[1] !== null);
}
