import { Injectable } from '@nestjs/common';
import { Church } from '../../../config/index.js';
import { sqlRow, sqlRows, Transactions } from '../../../database/index.js';
import { IndexPersons } from '../../../people/index.js';
import { lockNewContributions, storeProgress } from '../new-contributions.js';
import { indexGifts } from './gift-terms.js';

/** Gifts indexed in one transaction. */
const GIFTS_PER_STEP = 2_000;

const TAKE_SINGLE = `
  DELETE FROM gift_to_index WHERE id IN (
    SELECT id FROM gift_to_index WHERE first_gift_id = last_gift_id LIMIT ${GIFTS_PER_STEP})
  RETURNING first_gift_id AS id`;

const FIND_RANGE = `
  SELECT id, first_gift_id AS "first", last_gift_id AS "last" FROM gift_to_index
  WHERE first_gift_id < last_gift_id ORDER BY last_gift_id DESC LIMIT 1`;

const IDS_AFTER = 'SELECT id FROM contribution WHERE id > $1 AND id <= $2';

/** From the newest to the oldest: those are searched for more often. */
const IDS_OF_RANGE = `
  SELECT id FROM contribution WHERE id BETWEEN $1 AND $2 ORDER BY id DESC LIMIT ${GIFTS_PER_STEP}`;

/**
 * Stores by which texts gifts are found (gift_term). A gift itself writes nothing for the search: this reads the gifts
 * that came since the last step, whichever program recorded them.
 */
@Injectable()
export class IndexGifts {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly persons: IndexPersons,
  ) {}

  /**
   * Indexes new and changed persons and gifts, some thousands at most. A gift that another call is still recording comes
   * later.
   * @returns `complete`: whether all persons and gifts are indexed now; `more`: whether there are more new gifts.
   */
  async indexNew(): Promise<{ complete: boolean; more: boolean }> {
    const personsAreIndexed = await this.persons.indexChanged();
    return this.transactions.run(async (tx) => {
      const step = await lockNewContributions(tx, 'gift terms', GIFTS_PER_STEP);
      const added = await sqlRows<{ id: number }>(tx, IDS_AFTER, [step.after, step.upTo]);
      const changed = await sqlRows<{ id: number }>(tx, TAKE_SINGLE);
      const ids = new Set([...added, ...changed].map(({ id }) => id));
      await indexGifts(tx, [...ids], this.church.country);
      if (step.upTo > step.after) await storeProgress(tx, 'gift terms', step);
      const others = await sqlRow(tx, 'SELECT FROM gift_to_index LIMIT 1');
      return { complete: personsAreIndexed && !step.more && others === undefined, more: step.more };
    });
  }

  /**
   * Indexes a step of the gifts that were there before the search, the newest first.
   * @returns whether there are more.
   */
  async indexEarlier(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const range = await sqlRow<{ id: string; first: number; last: number }>(tx, `${FIND_RANGE} FOR UPDATE`);
      if (range === undefined) return false;
      const ids = (await sqlRows<{ id: number }>(tx, IDS_OF_RANGE, [range.first, range.last])).map(({ id }) => id);
      await indexGifts(tx, ids, this.church.country);
      const next = ids.length < GIFTS_PER_STEP ? 0 : (ids.at(-1) ?? 0) - 1;
      if (next < range.first) await sqlRows(tx, 'DELETE FROM gift_to_index WHERE id = $1', [range.id]);
      else await sqlRows(tx, 'UPDATE gift_to_index SET last_gift_id = $2 WHERE id = $1', [range.id, next]);
      return true;
    });
  }
}
