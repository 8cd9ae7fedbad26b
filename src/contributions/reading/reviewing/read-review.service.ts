import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail } from '../../../audit/index.js';
import { Church } from '../../../config/index.js';
import { Transactions } from '../../../database/index.js';
import { agreementOf, PersonRecords } from '../../../people/index.js';
import { displayAmount } from '../../../values/index.js';
import { ContributionNotFoundError, currentFund, isGift, isOfPayment } from '../../ledger/index.js';
import { MEANING_OF_REASONS, REVIEW_ACTIONS, Reviews } from '../../reviews/index.js';
import { type ContributionRow, SELECT_CONTRIBUTIONS, viewOf } from '../contribution-rows.js';
import type { ContributionView } from '../contribution-view.js';
import { detailsInCommon } from './compare-gifts.js';
import type { ReviewDetails } from './review-details.js';

const SELECT_GIFTS = `${SELECT_CONTRIBUTIONS} WHERE c.id = ANY ($1::integer[])`;

const SELECT_FUNDS_NOW = `SELECT c.id, ${currentFund('c')} AS fund FROM contribution c WHERE c.id = ANY ($1::integer[])`;

const SELECT_LEFT = `
  SELECT sum(c.amount - c.reversed_amount) AS left
  FROM contribution c WHERE ${isOfPayment('c', '$1::integer')} AND ${isGift('c')}`;

/** Reads a review with everything that a decision needs: its gifts and persons, and in what they agree. */
@Injectable()
export class ReadReview {
  constructor(
    private readonly church: Church,
    private readonly transactions: Transactions,
    private readonly reviews: Reviews,
    private readonly persons: PersonRecords,
    private readonly audit: AuditTrail,
  ) {}

  /** The reading is recorded. @throws ReviewNotFoundError */
  async of(reviewId: number, by: Actor): Promise<ReviewDetails> {
    const review = await this.reviews.show(reviewId);
    const gifts = await this.gifts([review.contributionId, ...review.otherGifts]);
    const funds = await this.fundsNow([...gifts.keys()]);
    const gift = gifts.get(review.contributionId);
    if (gift === undefined) throw new ContributionNotFoundError(review.contributionId);
    const [giver, ...others] = await this.compared(gift, [review.peopleId, ...review.otherPersons]);
    if (giver === undefined) throw new Error('The person of a gift was not read');
    const peopleIds = [giver, ...others].map(({ person }) => person.peopleId);
    await this.audit.recordReading({ action: REVIEW_ACTIONS.read, subject: `review ${reviewId}`, peopleIds, by });
    return {
      ...review,
      reasonsInWords: review.reasons.map((reason) => ({ reason, meaning: MEANING_OF_REASONS[reason] })),
      ...{ gift, fundNow: funds.get(gift.contributionId) ?? gift.fundId, left: await this.leftOf(gift), giver, others },
      similarGifts: review.otherGifts.flatMap((id) => {
        const other = gifts.get(id);
        if (other === undefined) return [];
        const fundNow = funds.get(id) ?? other.fundId;
        return [{ gift: other, fundNow, agrees: detailsInCommon(gift, other, this.church.country) }];
      }),
    };
  }

  private async gifts(ids: readonly number[]): Promise<Map<number, ContributionView>> {
    const rows = await this.transactions.query<ContributionRow>(SELECT_GIFTS, [ids]);
    return new Map(rows.map((row) => [row.id, viewOf(row)]));
  }

  private async fundsNow(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const rows = await this.transactions.query<{ id: number; fund: number }>(SELECT_FUNDS_NOW, [ids]);
    return new Map(rows.map(({ id, fund }) => [id, fund]));
  }

  private async leftOf({ payment, currency }: ContributionView): Promise<string> {
    const [row] = await this.transactions.query<{ left: string }>(SELECT_LEFT, [payment.paymentId]);
    if (row === undefined) throw new Error('A SELECT of aggregates returned no row');
    return displayAmount(row.left, currency);
  }

  private async compared(gift: ContributionView, peopleIds: readonly number[]): Promise<ReviewDetails['others']> {
    const compared: ReviewDetails['giver'][] = [];
    for (const id of peopleIds) {
      const person = await this.persons.show(id);
      const agrees = gift.giver === null ? [] : agreementOf(person, gift.giver, this.church.country);
      compared.push({ person, agrees });
    }
    return compared;
  }
}
