import { addGift } from './add-model.js';
import { done, type Expected, refused, type Seen } from './answers.js';
import { alreadyReversed, Books } from './books.js';
import type { Fund } from './entry.js';
import { type Operation, type ReverseGift, TREASURER } from './operation.js';
import { decimal, viewOf } from './views.js';

/**
 * The service as the contract describes it, in memory and without code of the product. From each answer it takes what
 * only the service can know: new ids and times. It computes the rest of the expected answer.
 */
export class Model {
  readonly books: Books;

  /** `today` is YYYY-MM-DD in church time. The first fund is the default fund. */
  constructor(timeZone: string, today: string, funds: readonly [Fund, ...Fund[]]) {
    this.books = new Books(timeZone, today, funds);
  }

  /** Does the operation. @returns the expected answer. */
  apply(operation: Operation, seen: Seen): Expected {
    const { ledger, reviews, keys } = this.books;
    switch (operation.kind) {
      case 'add':
        return addGift(this.books, operation, seen);
      case 'reverse': {
        const content = JSON.stringify([operation.contributionId, operation.source]);
        return keys.once(operation, content, () => this.reverse(operation, seen));
      }
      case 'read':
        return this.read(operation);
      case 'merge':
        return this.merge(operation);
      case 'reassign':
        return this.reassign(operation);
      case 'accept':
        return reviews.accept(operation.contributionId, TREASURER)
          ? done({ reviewId: seen.answer.body['reviewId'], accepted: true })
          : refused('review_not_found');
      case 'confirm contact':
        return this.books.people.confirm(operation.peopleId, operation.contact) ? done({}) : refused('no_contact');
      case 'close bundle':
        return ledger.closeBundle(operation.bundleId) ? done({}) : refused('bundle_not_found');
      case 'open or close fund':
        ledger.changeFund(operation.fundId, operation.open);
        return done({});
      case 'choose default fund':
        return ledger.chooseDefaultFund(operation.fundId) ? done({}) : refused('closed_fund');
      case 'let days pass':
        ledger.age(operation.days);
        keys.age(operation.days);
        return done({});
    }
  }

  private reverse({ contributionId, source, user }: ReverseGift, seen: Seen): Expected {
    const { ledger, people, notices, reviews } = this.books;
    const gift = ledger.entries.get(contributionId);
    if (gift === undefined) return refused('contribution_not_found');
    if (gift.reverses !== null) return refused('not_reversible');
    if (gift.reversal !== null) return alreadyReversed(gift.reversal);
    const made = this.books.made(seen);
    if (made === undefined) return done('a reversed gift');
    ledger.reverse(gift, source, user, made);
    reviews.closeReversed(gift, user);
    const giver = people.survivorOf(gift.personId)?.details;
    notices.push({
      reversing_contribution_id: made.id,
      contribution_id: contributionId,
      people_id: gift.personId,
      first: giver?.first.sent,
      last: giver?.last.sent,
      amount: decimal(gift.cents),
      currency: 'USD',
      fund_id: gift.fundId,
      fund_name: ledger.fund(gift.fundId)?.name,
      day: gift.day,
      source,
      username: user,
    });
    return done({
      operation: 'Reversal',
      peopleId: gift.personId,
      contributionId,
      source: `API Reverse (source=${source})`,
    });
  }

  /** API users see the gifts that they added and the reversing entries of these. */
  private read({ user, contributionId }: Extract<Operation, { kind: 'read' }>): Expected {
    const entry = this.books.ledger.entries.get(contributionId);
    if (entry === undefined || (entry.reverses ?? entry).by !== user) return refused('contribution_not_found');
    return done(viewOf(entry));
  }

  private merge({ from, into }: Extract<Operation, { kind: 'merge' }>): Expected {
    const faults = this.books.people.merge(from, into);
    if (faults.length > 0) return refused(...faults);
    this.books.ledger.move(from, into, 'command line');
    this.books.reviews.closeMerged(into, 'command line');
    return done({});
  }

  private reassign({ contributionId, peopleId }: Extract<Operation, { kind: 'reassign' }>): Expected {
    const { ledger, people, reviews } = this.books;
    const gift = ledger.entries.get(contributionId);
    const person = people.survivorOf(peopleId);
    const faults = [
      ...(person === undefined ? ['person_not_found'] : []),
      ...(gift === undefined ? ['contribution_not_found'] : gift.reverses === null ? [] : ['not_reassignable']),
    ];
    if (gift === undefined || person === undefined || faults.length > 0) return refused(...faults);
    const fromPeopleId = gift.personId;
    if (fromPeopleId !== person.id) {
      ledger.reassign(gift, person.id, TREASURER);
      reviews.listAgain(gift, TREASURER);
    }
    return done({ contributionId, fromPeopleId, toPeopleId: person.id });
  }
}
