import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { Transactions } from '../../../database/index.js';
import { amountInWords } from '../../../pages/index.js';
import { PersonRecords, type PersonView } from '../../../people/index.js';
import { displayAmount, type StoredAmount, sumOfAmounts } from '../../../values/index.js';
import { type FundView, Funds } from '../../funds/index.js';
import { ContributionNotFoundError, isGift, isOfPayment } from '../../ledger/index.js';
import { Reviews, type ReviewView } from '../../reviews/index.js';
import { READING_ACTIONS } from '../audit-actions.js';
import { ContributionHistory, type HistoryEvent } from '../contribution-history.service.js';
import { type ContributionRow, SELECT_CONTRIBUTIONS, viewOf } from '../contribution-rows.js';
import type { ContributionView } from '../contribution-view.js';
import { type GiftReversal, reversalsOf } from './gift-reversals.js';
import { type FoundGiftRow, foundGiftOf, SELECT_FOUND_GIFTS } from '../searching/found-gift-rows.js';
import type { FoundGift } from '../searching/found-gift-view.js';

/** A gift with its whole payment, as its page shows it. */
export interface GiftDetails {
  readonly gift: ContributionView;
  readonly giver: PersonView;
  /** All gifts of the payment, the first first: its parts, and what was reinstated. With their present funds. */
  readonly gifts: readonly FoundGift[];
  /** Everything that was taken back of the payment, the first first. */
  readonly reversals: readonly GiftReversal[];
  /** What is left of the whole payment, as decimal text. */
  readonly left: string;
  readonly reviews: readonly ReviewView[];
  readonly history: readonly HistoryEvent[];
  readonly funds: readonly FundView[];
  /** Names of the persons whom the history and the match name, by PeopleId. */
  readonly names: ReadonlyMap<number, string>;
}

const SELECT_ENTRIES = `${SELECT_CONTRIBUTIONS}
  WHERE ${isOfPayment('c', '(SELECT payment_id FROM contribution WHERE id = $1)')}
    AND (${isGift('c')} OR c.reverses_id IS NOT NULL OR c.id = $1)
  ORDER BY c.id`;

const SELECT_GIFT = 'SELECT COALESCE(reverses_id, moves_id, id) AS gift FROM contribution WHERE id = $1';

const SELECT_CURRENCY = 'SELECT currency FROM contribution WHERE id = $1';

const SELECT_SUM = `SELECT currency, sum(amount) AS sum FROM contribution
  WHERE id = ANY ($1::integer[]) AND amount > 0 GROUP BY currency`;

/** Reads a gift and everything that belongs to its payment. */
@Injectable()
export class ReadGift {
  constructor(
    private readonly transactions: Transactions,
    private readonly persons: PersonRecords,
    private readonly reviews: Reviews,
    private readonly history: ContributionHistory,
    private readonly funds: Funds,
    private readonly audit: AuditTrail,
  ) {}

  /** The gift to which an entry belongs; of a gift, itself. It is no reading of personal data. @throws ContributionNotFoundError */
  async giftOf(contributionId: number): Promise<number> {
    const [row] = await this.transactions.query<{ gift: number }>(SELECT_GIFT, [contributionId]);
    if (row === undefined) throw new ContributionNotFoundError(contributionId);
    return row.gift;
  }

  /**
   * The reading is recorded. @throws ContributionNotFoundError
   * @param others the persons whom the same page shows beside the gift.
   */
  async of(contributionId: number, by: Actor, others: readonly number[] = []): Promise<GiftDetails> {
    const rows = await this.transactions.query<ContributionRow>(SELECT_ENTRIES, [contributionId]);
    const entries = rows.map(viewOf);
    const gift = entries.find((entry) => entry.contributionId === contributionId);
    if (gift === undefined) throw new ContributionNotFoundError(contributionId);
    const ids = entries.filter(({ giver }) => giver !== null).map((entry) => entry.contributionId);
    const gifts = await this.transactions.query<FoundGiftRow>(SELECT_FOUND_GIFTS, [ids]);
    const history = await this.history.of(contributionId);
    const named = [...history.flatMap(({ from, to }) => [from, to]), ...(gift.match?.otherCandidates ?? [])];
    const names = await this.persons.namesOf(named.filter((id) => id !== null));
    const giver = await this.persons.show(gift.peopleId);
    await this.audit.recordReading({
      action: READING_ACTIONS.read,
      subject: `contribution ${contributionId}`,
      peopleIds: [gift.peopleId, ...names.keys(), ...others],
      by,
    });
    return {
      gift,
      giver,
      gifts: gifts.map((row) => foundGiftOf(row, [])).reverse(),
      reversals: reversalsOf(rows),
      left: displayAmount(sumOfAmounts(gifts.map(({ left_amount: left }) => left)), gift.currency),
      reviews: await this.reviews.openOf(ids),
      history,
      funds: await this.funds.list(),
      names,
    };
  }

  /** An amount of the gift for a message: "USD 1,234.50"; "All" without one. It is no reading of personal data. */
  async inWords(contributionId: number, amount: StoredAmount | undefined): Promise<string> {
    if (amount === undefined) return 'All';
    const [row] = await this.transactions.query<{ currency: string }>(SELECT_CURRENCY, [contributionId]);
    if (row === undefined) throw new ContributionNotFoundError(contributionId);
    return amountInWords(displayAmount(amount, row.currency), row.currency);
  }

  /** The sum of those of a payment's entries that add to a fund, for a message. It is no reading of personal data. */
  async sumInWords(contributionIds: readonly number[]): Promise<string> {
    const [row] = await this.transactions.query<{ currency: string; sum: string }>(SELECT_SUM, [contributionIds]);
    if (row === undefined) throw new Error('A payment has no gifts');
    return amountInWords(displayAmount(row.sum, row.currency), row.currency);
  }
}
