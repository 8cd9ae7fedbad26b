import type { Doubts } from './doubts-model.js';
import type { Entry } from './entry.js';
import type { LedgerModel } from './ledger-model.js';
import type { PeopleModel } from './people-model.js';

/** A gift on the list, or one that was on it. */
export interface Review {
  readonly reasons: readonly string[];
  /** PeopleIds that it names. */
  readonly persons: readonly number[];
  /** Gifts that it may be the same as. */
  readonly gifts: readonly Entry[];
  readonly acceptedBy: string | null;
}

/** Answered once all persons whom a review names are one. */
const ABOUT_PERSONS = ['several_matches', 'similar_person', 'changed_last_name', 'known_name', 'other_contact'];

/** What Finance should look at. */
export class ReviewModel {
  readonly byGift = new Map<number, Review>();

  constructor(
    private readonly ledger: LedgerModel,
    private readonly people: PeopleModel,
  ) {}

  /** Lists a gift that was just recorded, if there is a reason. */
  list(gift: Entry, { reasons: doubts, persons }: Doubts): void {
    const gifts = this.equalGifts(gift);
    const news = doubts.filter((doubt) => doubt !== 'shared_contact' || !this.isListedAsShared(gift.personId));
    const reasons = [...news, ...this.reasonsOf(gift, gifts)];
    if (reasons.length > 0) this.byGift.set(gift.id, { reasons, persons, gifts, acceptedBy: null });
  }

  /** Judges a gift again that went to another person. What was closed comes back for a new reason only. */
  listAgain(gift: Entry, by: string): void {
    const gifts = this.equalGifts(gift);
    const reasons = gift.reversal === null ? this.reasonsOf(gift, gifts) : [];
    const before = this.byGift.get(gift.id);
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

  /** Of a gift that was just reversed, and of those that asked only whether they and this one are the same. */
  closeReversed(gift: Entry, by: string): void {
    this.close(by, (id, review) => id === gift.id || (review.gifts.includes(gift) && !this.isOpen(id, review)));
  }

  /** Of a person's gifts that asked only whether this person and one just merged into it are the same. */
  closeMerged(personId: number, by: string): void {
    this.close(by, (id, review) => this.ledger.entries.get(id)?.personId === personId && !this.isOpen(id, review));
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
    const own = this.ledger.entries.get(giftId)?.personId;
    const areOne = persons.length > 0 && persons.every((id) => this.people.standing(id)?.id === own);
    const isAlone = gifts.length > 0 && gifts.every(({ reversal }) => reversal !== null);
    return reasons.some(
      (reason) => !(ABOUT_PERSONS.includes(reason) ? areOne : reason === 'possible_duplicate' && isAlone),
    );
  }

  private reasonsOf(gift: Entry, equalGifts: readonly Entry[]): string[] {
    return [
      ...(this.ledger.fund(gift.fundId)?.open === false ? ['closed_fund'] : []),
      ...(equalGifts.length > 0 ? ['possible_duplicate'] : []),
    ];
  }

  /** Those that stand, of the same person, amount and day, from another source or of these ten minutes. */
  private equalGifts(gift: Entry): Entry[] {
    return [...this.ledger.entries.values()].filter(
      (other) =>
        other !== gift &&
        other.personId === gift.personId &&
        other.cents === gift.cents &&
        other.day === gift.day &&
        other.reversal === null &&
        (other.source !== gift.source || other.age === 0),
    );
  }
}
