import { Injectable } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { Metrics } from '../../metrics/index.js';
import type { AddedContribution } from './added-contribution.js';
import { DEFAULT_CONTRIBUTION_TYPE, TYPE_NAMES } from '../ledger/index.js';

const ABOUT_AMOUNTS =
  'a figure for graphs, not for the books: Prometheus knows floating-point numbers only, and counts anew from each start';

/** Counts gifts and reversals that have been committed; neither replays nor dry runs. */
@Injectable()
export class GiftMetrics {
  private readonly gifts;
  private readonly amounts;
  private readonly matches;
  private readonly reversals;
  private readonly reversedAmounts;

  constructor(
    private readonly church: Church,
    metrics: Metrics,
  ) {
    this.gifts = metrics.counter('offertory_gifts_total', 'Gifts recorded, by type', ['type']);
    this.amounts = metrics.counter(
      'offertory_gift_amount_total',
      `Amounts of the gifts recorded, in units of the currency: ${ABOUT_AMOUNTS}`,
      ['type', 'currency'],
    );
    this.matches = metrics.counter(
      'offertory_matches_total',
      'How the persons of the gifts recorded were found: by_id, matched, several (matched, and others did too), created',
      ['outcome'],
    );
    this.reversals = metrics.counter('offertory_reversals_total', 'Gifts taken back, by type of the gift', ['type']);
    this.reversedAmounts = metrics.counter(
      'offertory_reversed_amount_total',
      `Amounts of the gifts taken back, in units of the currency: ${ABOUT_AMOUNTS}`,
      ['type', 'currency'],
    );
  }

  /** To be called when the gift's transaction has committed. */
  recorded(
    gift: { amount: string; contributionTypeId: number | undefined; peopleId: number | undefined },
    { newPerson, multipleMatches }: AddedContribution,
  ): void {
    const type = nameOf(gift.contributionTypeId ?? DEFAULT_CONTRIBUTION_TYPE);
    this.gifts.inc({ type });
    // The one place where an amount becomes a number: it leaves the house as a figure and comes back to no book.
    this.amounts.inc({ type, currency: this.church.currency }, Number(gift.amount));
    const found = multipleMatches ? 'several' : 'matched';
    this.matches.inc({ outcome: gift.peopleId !== undefined ? 'by_id' : newPerson ? 'created' : found });
  }

  /** To be called when the reversal's transaction has committed. */
  reversed(gift: { amount: string; currency: string; contribution_type_id: number }): void {
    const type = nameOf(gift.contribution_type_id);
    this.reversals.inc({ type });
    this.reversedAmounts.inc({ type, currency: gift.currency }, Number(gift.amount));
  }
}

/** A type that a church has added in SQL goes by its id. */
function nameOf(typeId: number): string {
  return TYPE_NAMES[typeId] ?? String(typeId);
}
