import type { Doubts } from './doubts-model.js';
import type { Entry } from './entry.js';
import type { LedgerModel } from './ledger-model.js';
import { currentFundOf, isReversed } from './payment-model.js';
import type { PeopleModel } from './people-model.js';

/** The open or closed review of a gift. */
export interface Review {
  readonly reasons: readonly string[];
  /** PeopleIds that it names. */
  readonly persons: readonly number[];
  /** Gifts of which it may be a duplicate. */
  readonly gifts: readonly Entry[];
  readonly acceptedBy: string | null;
}

/** Reasons that are settled once all persons whom a review names are merged. */
const ABOUT_PERSONS = ['several_matches', 'similar_person', 'changed_last_name', 'known_name', 'other_contact'];

const EARLIER_YEAR = 'earlier_year';

/** The reviews of gifts that Finance should check. */
export class ReviewModel {
  readonly byGift = new Map<number, Review>();

  constructor(
    private readonly ledger: LedgerModel,
    private readonly people: PeopleModel,
  ) {}

  /** Lists a new gift for review if there is a reason. Doubts about the giver are listed with the first part. */
  list(gift: Entry, { reasons: doubts, persons }: Doubts): void {
    const gifts = this.equalGifts(gift);
    const isFirst = gift.payment.entries[0] === gift;
    const news = doubts.filter((doubt) => doubt !== 'shared_contact' || !this.isListedAsShared(gift.personId));
    const isOfEarlierYear = gift.day.slice(0, 4) < this.ledger.today.slice(0, 4);
    const ofPayment = [...news, ...(isOfEarlierYear ? [EARLIER_YEAR] : [])];
    const reasons = [...(isFirst ? ofPayment : []), ...this.reasonsOf(gift, gifts)];
    if (reasons.length > 0) this.byGift.set(gift.id, { reasons, persons, gifts, acceptedBy: null });
  }

  /**
   * Reviews a reassigned gift again. A closed review is opened again only for a new reason. Another person does not settle
   * that the gift is of an earlier year.
   */
  listAgain(gift: Entry, by: string): void {
    const gifts = this.equalGifts(gift);
    const before = this.byGift.get(gift.id);
    const kept = before?.acceptedBy === null && before.reasons.includes(EARLIER_YEAR) ? [EARLIER_YEAR] : [];
    const reasons = isReversed(gift) ? [] : [...this.reasonsOf(gift, gifts), ...kept];
    if (reasons.length === 0) {
      if (before?.acceptedBy === null) this.byGift.set(gift.id, { ...before, acceptedBy: by });
      return;
    }
    const accepted = before === undefined || before.acceptedBy === null ? [] : before.reasons;
    if (!reasons.every((reason) => accepted.includes(reason))) {
      this.byGift.set(gift.id, { reasons, persons: [], gifts, acceptedBy: null });
    }
  }

  /** @returns whether there is such a review. */
  accept(giftId: number, by: string): boolean {
    const review = this.byGift.get(giftId);
    if (review === undefined) return false;
    this.byGift.set(giftId, { ...review, acceptedBy: review.acceptedBy ?? by });
    return true;
  }

  /**
   * Closes reviews after a reversal, and reviews whose reasons are settled by that.
   * @param reversed gifts of which nothing is left.
   * @param settled gifts whose own reviews are closed.
   */
  closeReversed(reversed: readonly Entry[], settled: readonly Entry[], by: string): void {
    this.close(
      by,
      (id, review) =>
        settled.some((gift) => gift.id === id) ||
        (review.gifts.some((gift) => reversed.includes(gift)) && !this.isOpen(id, review)),
    );
  }

  /** Closes the reviews of a survivor's gifts whose reasons are settled by the merge. */
  closeMerged(personId: number, by: string): void {
    this.close(by, (id, review) => this.ledger.entries.get(id)?.personId === personId && !this.isOpen(id, review));
  }

  /** Closes the reviews of moved gifts that only asked about their closed fund. */
  closeMoved(moved: readonly Entry[], by: string): void {
    this.close(
      by,
      (id, review) =>
        moved.some((gift) => gift.id === id) && review.reasons.includes('closed_fund') && !this.isOpen(id, review),
    );
  }

  private isListedAsShared(personId: number): boolean {
    return [...this.byGift].some(
      ([id, { reasons }]) => reasons.includes('shared_contact') && this.ledger.entries.get(id)?.personId === personId,
    );
  }

  private close(by: string, isAnswered: (giftId: number, review: Review) => boolean): void {
    for (const [id, review] of this.byGift) {
      if (review.acceptedBy === null && isAnswered(id, review)) this.byGift.set(id, { ...review, acceptedBy: by });
    }
  }

  private isOpen(giftId: number, { reasons, persons, gifts }: Review): boolean {
    const gift = this.ledger.entries.get(giftId);
    const areOne = persons.length > 0 && persons.every((id) => this.people.survivorOf(id)?.id === gift?.personId);
    const isAlone = gifts.length > 0 && gifts.every(isReversed);
    const isInOpenFund = gift !== undefined && !this.isInClosedFund(gift);
    return reasons.some((reason) => {
      if (ABOUT_PERSONS.includes(reason)) return !areOne;
      if (reason === 'possible_duplicate') return !isAlone;
      return reason !== 'closed_fund' || !isInOpenFund;
    });
  }

  private isInClosedFund(gift: Entry): boolean {
    return this.ledger.fund(currentFundOf(gift))?.open === false;
  }

  private reasonsOf(gift: Entry, equalGifts: readonly Entry[]): string[] {
    return [
      ...(this.isInClosedFund(gift) ? ['closed_fund'] : []),
      ...(equalGifts.length > 0 ? ['possible_duplicate'] : []),
    ];
  }

  /** Gifts of other payments with the same person, amount and day, from another source or of the last ten minutes. */
  private equalGifts(gift: Entry): Entry[] {
    return [...this.ledger.entries.values()].filter(
      (other) =>
        other.kind !== 'move' &&
        other.payment !== gift.payment &&
        other.personId === gift.personId &&
        other.cents === gift.cents &&
        other.day === gift.day &&
        !isReversed(other) &&
        (other.source !== gift.source || other.age === 0),
    );
  }
}
