import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { prepared, sqlRows, Transactions } from '../../../database/index.js';
import { PREFIX_LENGTH } from './derived-transaction-ids.js';
import { isEqualButForGiver, type RecordedRow, RowIdentities } from './row-identity.js';
import type { RecordedRowsQuery } from './row-numbering.js';
import type { AddContributionRequest } from '../../gifts/index.js';
import { isWhollyReversed } from '../../ledger/index.js';

const COLUMNS = `
  id AS "contributionId", transaction_id AS "transactionId", request_digest, request_version, giver_first AS first,
  giver_last AS last, giver_email AS email, giver_phone AS phone, amount, given_at AS "givenAt", day::text, source,
  ${isWhollyReversed('contribution')} AS "isReversed"`;

/** The digits are checked, because a sender's own ids may begin in the same way. */
const FROM_A_ROW = `created_by = $1 AND transaction_id LIKE 'row-%' AND length(transaction_id) > ${PREFIX_LENGTH}
  AND substr(transaction_id, ${PREFIX_LENGTH + 1}) ~ '^[1-9][0-9]{0,8}$'`;

const SELECT_RECORDED = `
  SELECT ${COLUMNS} FROM contribution WHERE ${FROM_A_ROW} AND left(transaction_id, ${PREFIX_LENGTH}) = ANY ($2)
  UNION
  SELECT ${COLUMNS} FROM contribution
  WHERE ${FROM_A_ROW} AND (day, amount, source) IN (SELECT * FROM unnest($3::date[], $4::numeric[], $5::text[]))`;

/**
 * Gifts with the lookup key whose giver may have the name and has other contacts. A day may have thousands of gifts of one
 * amount, and folding them all takes minutes. So most are excluded here by the ASCII letters of the name, which no version
 * of folding changes.
 */
const SELECT_NAMESAKES = prepared(`
  SELECT ${COLUMNS} FROM contribution
  WHERE created_by = $1 AND day = $2 AND amount = $3 AND source = $4
    AND ${mayBe('giver_last', '$5')} AND ${mayBe('giver_first', '$6')} AND (giver_email, giver_phone) <> ($7, $8) AND ${FROM_A_ROW}
  ORDER BY id`);

/** SQL for whether a name may fold to these letters. Always true for a name with other characters than ASCII. */
function mayBe(column: string, letters: string): string {
  const punctuation = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))
    .filter((sign) => /[!-~ ]/.test(sign) && !/[a-z0-9]/i.test(sign))
    .join('');
  const written = `translate(${column}, '${punctuation.replace("'", "''")}', '')`;
  return `(octet_length(${column}) > length(${column}) OR lower(${written} COLLATE "C") = ${letters})`;
}

/** Finds recorded gifts that came from rows without an id. */
@Injectable()
export class RecordedRows {
  constructor(
    private readonly transactions: Transactions,
    private readonly identities: RowIdentities,
  ) {}

  /** @param userId the user who added the gifts. */
  async find(userId: number, { prefixes, lookupKeys }: RecordedRowsQuery): Promise<RecordedRow[]> {
    return this.transactions.query<RecordedRow>(SELECT_RECORDED, [
      userId,
      prefixes,
      lookupKeys.map(({ day }) => day),
      lookupKeys.map(({ amount }) => amount),
      lookupKeys.map(({ source }) => source),
    ]);
  }

  /**
   * The first recorded gift that differs from this row only in e-mail or phone. The row may be that gift with a corrected
   * contact, or a gift of another person with the same name.
   */
  async similar(tx: EntityManager, userId: number, request: AddContributionRequest): Promise<number | undefined> {
    const { First, Last, Email, Phone } = request;
    const { lookupKey, contacts } = this.identities.ofRequest(request);
    const { first, last } = this.identities.nameOf({ first: First, last: Last });
    const gifts = await sqlRows<RecordedRow>(tx, SELECT_NAMESAKES, [
      userId,
      ...[lookupKey.day, lookupKey.amount, lookupKey.source],
      ...[asciiOf(last), asciiOf(first), Email, Phone],
    ]);
    const similar = gifts.find((gift) => {
      const other = this.identities.nameOf(gift);
      if (other.first !== first || other.last !== last) return false;
      // isEqualButForGiver compares the digest, which includes the exact time.
      return this.identities.ofRecorded(gift).contacts !== contacts && isEqualButForGiver(request, gift);
    });
    return similar?.contributionId;
  }
}

/** The letters that {@link SELECT_NAMESAKES} compares with names in ASCII. */
export function asciiOf(foldedName: string): string {
  return foldedName.replace(/[^a-z0-9]/g, '');
}
