import { addBatch, addGift } from './add-model.js';
import { done, type Expected, refused, type Results, type Seen } from './answers.js';
import { Books } from './books.js';
import { correct } from './correction-model.js';
import { settle } from './deposit-model.js';
import type { Fund } from './entry.js';
import { givingOf } from './giving-model.js';
import { listed } from './list-model.js';
import { type Operation, TREASURER } from './operation.js';
import { giftsOf } from './payment-model.js';
import { viewOf } from './views.js';

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
  apply(operation: Operation, seen: Seen): Expected | Results {
    const { ledger, reviews, keys } = this.books;
    switch (operation.kind) {
      case 'add':
        return addGift(this.books, operation, seen);
      case 'add batch':
        return addBatch(this.books, operation, seen);
      case 'reverse':
      case 'reverse transaction':
      case 'reverse as finance':
      case 'reinstate':
      case 'move':
        return correct(this.books, operation, seen);
      case 'send deposit':
      case 'enter bank':
      case 'adjust deposit':
      case 'reconcile deposit':
        return settle(this.books, operation, seen);
      case 'list':
        return done(listed(this.books, operation));
      case 'read giving':
        return this.books.people.has(operation.peopleId)
          ? done(givingOf(this.books, operation.peopleId))
          : refused('giver_not_found');
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

  /** API users see the gifts that they added and all other entries of their payments. */
  private read({ user, contributionId }: Extract<Operation, { kind: 'read' }>): Expected {
    const entry = this.books.ledger.entries.get(contributionId);
    if (entry?.payment.user !== user) return refused('contribution_not_found');
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
      ...(gift === undefined ? ['contribution_not_found'] : []),
      ...(gift?.kind === 'reversing entry' ? ['not_reassignable'] : []),
    ];
    if (gift === undefined || person === undefined || faults.length > 0) return refused(...faults);
    const fromPeopleId = gift.personId;
    if (fromPeopleId !== person.id) {
      ledger.reassign(gift.payment, person.id, TREASURER);
      for (const each of giftsOf(gift.payment)) reviews.listAgain(each, TREASURER);
    }
    return done({ contributionId, fromPeopleId, toPeopleId: person.id });
  }
}
