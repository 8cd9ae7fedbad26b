import { Injectable } from '@nestjs/common';
import { Church } from '../../config/index.js';
import { Metrics } from '../../metrics/index.js';
import type { AddedContribution } from './recording/added-contribution.js';
import type { GiftPart } from './recording/gift-part.js';
import { DEFAULT_CONTRIBUTION_TYPE, TYPE_NAMES } from '../ledger/index.js';

const AMOUNTS_NOTE =
  'for graphs, not for the books: Prometheus has floating-point numbers only, and counters restart with the process';

/** Counts committed gifts and reversals, without replayed answers and dry runs. */
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
      `Amounts of the gifts recorded, in units of the currency: ${AMOUNTS_NOTE}`,
      ['type', 'currency'],
    );
    this.matches = metrics.counter(
      'offertory_matches_total',
      'How the persons of recorded gifts were found: by_id, matched, several (the best of several matches), created',
      ['outcome'],
    );
    this.reversals = metrics.counter(
      'offertory_reversals_total',
      'Gifts reversed, wholly or in part, by type of the gift',
      ['type'],
    );
    this.reversedAmounts = metrics.counter(
      'offertory_reversed_amount_total',
      `Amounts taken back by reversals, in units of the currency: ${AMOUNTS_NOTE}`,
      ['type', 'currency'],
    );
  }

  /** Counts a payment, and each of its parts as a gift. Call it after its transaction has committed. */
  recorded(
    { parts, peopleId }: { parts: readonly GiftPart[]; peopleId: number | undefined },
    { newPerson, multipleMatches }: AddedContribution,
  ): void {
    for (const { amount, contributionTypeId = DEFAULT_CONTRIBUTION_TYPE } of parts) {
      const type = typeNameOf(contributionTypeId);
      this.gifts.inc({ type });
      // Only metrics convert amounts to numbers, because they are never written to the books.
      this.amounts.inc({ type, currency: this.church.currency }, Number(amount));
    }
    const found = multipleMatches ? 'several' : 'matched';
    this.matches.inc({ outcome: peopleId !== undefined ? 'by_id' : newPerson ? 'created' : found });
  }

  /** Counts what was taken back from a gift. Call it after the reversal's transaction has committed. */
  reversed(gift: { taken: string; currency: string; contribution_type_id: number }): void {
    const type = typeNameOf(gift.contribution_type_id);
    this.reversals.inc({ type });
    this.reversedAmounts.inc({ type, currency: gift.currency }, Number(gift.taken));
  }
}

/** The label of a type: its name, or its id if the church added the type in SQL. */
function typeNameOf(typeId: number): string {
  return TYPE_NAMES[typeId] ?? String(typeId);
}
