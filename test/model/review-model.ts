import type { Entry } from './entry.js';
import type { LedgerModel } from './ledger-model.js';

/** A gift on the list, or one that was on it. */
export interface Review {
  readonly reasons: readonly string[];
  readonly acceptedBy: string | null;
}

/** What Finance should look at. */
export class ReviewModel {
  readonly byGift = new Map<number, Review>();

  constructor(private readonly ledger: LedgerModel) {}

  /** Lists a gift that was just recorded, if there is a reason. */
  list(gift: Entry, doubts: readonly string[]): void {
    const reasons = [...doubts, ...this.reasonsOf(gift)];
    if (reasons.length > 0) this.byGift.set(gift.id, { reasons, acceptedBy: null });
  }

  /** Judges a gift anew that went to another person. What was accepted comes back for a new reason only. */
  listAgain(gift: Entry, by: string): void {
    const reasons = this.reasonsOf(gift);
    const before = this.byGift.get(gift.id);
    if (reasons.length === 0) {
      if (before?.acceptedBy === null) this.byGift.set(gift.id, { ...before, acceptedBy: by });
      return;
    }
    const accepted = before === undefined || before.acceptedBy === null ? [] : before.reasons;
    if (!reasons.every((reason) => accepted.includes(reason))) this.byGift.set(gift.id, { reasons, acceptedBy: null });
  }

  /** @returns whether there is such a review. */
  accept(giftId: number, by: string): boolean {
    const review = this.byGift.get(giftId);
    if (review === undefined) return false;
    this.byGift.set(giftId, { ...review, acceptedBy: review.acceptedBy ?? by });
    return true;
  }

  private reasonsOf(gift: Entry): string[] {
    return [
      ...(this.ledger.fund(gift.fundId)?.open === false ? ['closed_fund'] : []),
      ...(this.mayHaveComeTwice(gift) ? ['possible_duplicate'] : []),
    ];
  }

  /**
   * An equal gift that stands, of the same person and day, from another source, or of these ten minutes if this one
   * came without a key or a transaction.
   */
  private mayHaveComeTwice(gift: Entry): boolean {
    return [...this.ledger.entries.values()].some(
      (other) =>
        other !== gift &&
        other.personId === gift.personId &&
        other.cents === gift.cents &&
        other.day === gift.day &&
        other.reversal === null &&
        (other.source !== gift.source || (!gift.keyed && other.age === 0)),
    );
  }
}
