import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { prepared, sqlRows, Transactions } from '../../../database/index.js';
import { PREFIX_LENGTH } from './derived-transaction-ids.js';
import { isEqualButForGiver, type RecordedRow, RowIdentities } from './row-identity.js';
import type { UnknownRows } from './row-numbering.js';
import type { AddContributionRequest } from '../../gifts/index.js';

const COLUMNS = `
  id AS "contributionId", transaction_id AS "transactionId", request_digest, request_version, giver_first AS first,
  giver_last AS last, giver_email AS email, giver_phone AS phone, amount, given_at AS "givenAt", day::text, source,
  EXISTS (SELECT FROM contribution reversal WHERE reversal.reverses_id = contribution.id) AS "isReversed"`;

/** The digits are checked since a sender may make up ids of its own that begin alike. */
const FROM_A_ROW = `created_by = $1 AND transaction_id LIKE 'row-%' AND length(transaction_id) > ${PREFIX_LENGTH}
  AND substr(transaction_id, ${PREFIX_LENGTH + 1}) ~ '^[1-9][0-9]{0,8}$'`;

const SELECT_RECORDED = `
  SELECT ${COLUMNS} FROM contribution WHERE ${FROM_A_ROW} AND left(transaction_id, ${PREFIX_LENGTH}) = ANY ($2)
  UNION
  SELECT ${COLUMNS} FROM contribution
  WHERE ${FROM_A_ROW} AND (day, amount, source) IN (SELECT * FROM unnest($3::date[], $4::numeric[], $5::text[]))`;

/**
 * Gifts of a place whose giver may have the name and has other contacts. A day may have thousands of gifts of one amount,
 * and folding them all takes minutes: most are told apart here, by the letters of the name that ASCII has. Folding
 * leaves these as they are, whatever its version.
 */
const SELECT_NAMESAKES = prepared(`
  SELECT ${COLUMNS} FROM contribution
  WHERE created_by = $1 AND day = $2 AND amount = $3 AND source = $4
    AND ${mayBe('giver_last', '$5')} AND ${mayBe('giver_first', '$6')} AND (giver_email, giver_phone) <> ($7, $8) AND ${FROM_A_ROW}
  ORDER BY id`);

/** True for every name in which there is more than ASCII. */
function mayBe(column: string, letters: string): string {
  const punctuation = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    .filter((sign) => /[!-~ ]/.test(sign) && !/[a-z0-9]/i.test(sign))
    .join('');
  const written = `translate(${column}, '${punctuation.replace("'", "''")}', '')`;
  return `(octet_length(${column}) > length(${column}) OR lower(${written} COLLATE "C") = ${letters})`;
}

/** The recorded gifts that came from rows without an id. */
@Injectable()
export class RecordedRows {
  constructor(
    private readonly transactions: Transactions,
    private readonly identities: RowIdentities,
  ) {}

  /** @param userId whose gifts these are. */
  async find(userId: number, { prefixes, places }: UnknownRows): Promise<RecordedRow[]> {
    return this.transactions.query<RecordedRow>(SELECT_RECORDED, [
      userId,
      prefixes,
      places.map(({ day }) => day),
      places.map(({ amount }) => amount),
      places.map(({ source }) => source),
    ]);
  }

  /**
   * The first recorded gift that differs from this row in its e-mail or phone alone: the row may be that gift with a
   * contact corrected, or one of somebody else of that name.
   */
  async similar(tx: EntityManager, userId: number, request: AddContributionRequest): Promise<number | undefined> {
    const { First, Last, Email, Phone } = request;
    const { place, contacts } = this.identities.ofRequest(request);
    const { first, last } = this.identities.nameOf({ first: First, last: Last });
    const gifts = await sqlRows<RecordedRow>(tx, SELECT_NAMESAKES, [
      userId,
      ...[place.day, place.amount, place.source],
      ...[asciiOf(last), asciiOf(first), Email, Phone],
    ]);
    const similar = gifts.find((gift) => {
      const other = this.identities.nameOf(gift);
      if (other.first !== first || other.last !== last) return false;
      // The digest holds the date, and so the moment.
      return this.identities.ofRecorded(gift).contacts !== contacts && isEqualButForGiver(request, gift);
    });
    return similar?.contributionId;
  }
}

/** What {@link SELECT_NAMESAKES} makes of a name in ASCII, of its folded form. */
export function asciiOf(foldedName: string): string {
  return foldedName.replace(/[^a-z0-9]/g, '');
}
