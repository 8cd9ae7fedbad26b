import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { prepared, sqlRows, Transactions } from '../../database/index.js';
import type { AddContributionRequest } from '../dto/add-contribution.request.js';
import { PREFIX_LENGTH } from './derived-transaction-ids.js';
import { isEqualButForGiver, type RecordedRow, RowIdentities } from './row-identity.js';
import type { UnknownRows } from './row-numbering.js';

const COLUMNS = `
  id AS "contributionId", transaction_id AS "transactionId", request_digest, request_version, giver_first AS first,
  giver_last AS last, giver_email AS email, giver_phone AS phone, amount, given_at AS "givenAt", day::text, source`;

/** The digits are checked since a sender may make up ids of its own that begin alike. */
const FROM_A_ROW = `created_by = $1 AND transaction_id LIKE 'row-%' AND length(transaction_id) > ${PREFIX_LENGTH}
  AND substr(transaction_id, ${PREFIX_LENGTH + 1}) ~ '^[1-9][0-9]{0,8}$'`;

const SELECT_RECORDED = `
  SELECT ${COLUMNS} FROM contribution WHERE ${FROM_A_ROW} AND left(transaction_id, ${PREFIX_LENGTH}) = ANY ($2)
  UNION
  SELECT ${COLUMNS} FROM contribution
  WHERE ${FROM_A_ROW} AND (day, amount, source) IN (SELECT * FROM unnest($3::date[], $4::numeric[], $5::text[]))`;

const SELECT_OF_PLACE = prepared(`
  SELECT ${COLUMNS} FROM contribution WHERE ${FROM_A_ROW} AND day = $2 AND amount = $3 AND source = $4 ORDER BY id`);

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
    const { place, name, contacts } = this.identities.ofRequest(request);
    const gifts = await sqlRows<RecordedRow>(tx, SELECT_OF_PLACE, [userId, place.day, place.amount, place.source]);
    const similar = gifts.find((gift) => {
      const other = this.identities.ofRecorded(gift);
      // The digest holds the date, and so the moment.
      return other.name === name && other.contacts !== contacts && isEqualButForGiver(request, gift);
    });
    return similar?.contributionId;
  }
}
