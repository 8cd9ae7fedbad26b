import type { Books } from './books.js';
import { GiftGenerator, SOURCES } from './gift-generator.js';
import type { Entry } from './entry.js';
import { type AddGift, API_USERS, type ApiUser, type Operation, type ReverseGift, UNKNOWN_ID } from './operation.js';
import { Random } from './random.js';
import { written } from './written.js';

/** Makes one operation after the other, the same for the same seed as long as the service answers as it did. */
export class Generator {
  private readonly random: Random;
  private readonly gifts: GiftGenerator;
  /** Calls with a key or a transaction, to be repeated. */
  private readonly repeatable: (AddGift | ReverseGift)[] = [];
  private reversals = 0;

  constructor(
    seed: number,
    private readonly books: Books,
  ) {
    this.random = new Random(seed);
    this.gifts = new GiftGenerator(this.random, books);
  }

  /** What happens next. */
  next(): Operation {
    const operation = this.random.weighted<() => Operation>([
      [40, () => this.gifts.next()],
      [24, () => this.repeated()],
      [12, () => this.reversal()],
      [8, () => ({ kind: 'read', user: this.user(), contributionId: this.contributionId() })],
      [5, () => this.gifts.dryRun()],
      [3, () => this.merge()],
      [4, () => this.reassignment()],
      [2, () => this.confirmation()],
      [3, () => ({ kind: 'accept', contributionId: this.reviewed(false) })],
      [2, () => ({ kind: 'close bundle', bundleId: this.openBundle() })],
      [1, () => ({ kind: 'open or close fund', fundId: this.fundId(), open: this.random.percent(50) })],
      [1, () => ({ kind: 'choose default fund', fundId: this.fundId() })],
      [1, () => ({ kind: 'let days pass', days: this.random.pick([1, 1, 31]) })],
    ])();
    if (operation.kind !== 'add' && operation.kind !== 'reverse') return operation;
    return isRepeatable(operation) ? this.remembered(operation) : operation;
  }

  private remembered(call: AddGift | ReverseGift): AddGift | ReverseGift {
    this.repeatable.push(call);
    return { ...call, twice: this.random.percent(10) };
  }

  private reversal(): ReverseGift {
    this.reversals += 1;
    return {
      kind: 'reverse',
      user: this.user(),
      key: this.random.percent(50) ? `reversal ${this.reversals}` : undefined,
      quoted: this.random.percent(50),
      twice: false,
      contributionId: this.contributionId(),
      source: this.random.pick(SOURCES),
    };
  }

  /** A call that came before, as it was or almost as it was. */
  private repeated(): AddGift | ReverseGift {
    const wanted = this.random.percent(30) ? 'reverse' : 'add';
    const call = this.random.recent(this.repeatable.filter(({ kind }) => kind === wanted));
    if (call === undefined) return this.gifts.next();
    const variant = this.random.weighted([
      [40, 'the same'],
      [15, 'another request'],
      [8, 'another user'],
      [8, 'put right'],
      [5, 'as a dry run'],
      [8, 'the other operation'],
      [15, 'another key'],
      [10, 'the gift is taken back'],
    ] as const);
    switch (variant) {
      case 'the same':
        return this.sentAgain(call);
      case 'another request':
        return this.sentAgain(this.changed(call));
      case 'another user':
        return this.sentAgain({ ...call, user: call.user === 'api' ? 'second' : 'api' });
      case 'put right':
        return this.sentAgain(call.kind === 'add' ? { ...call, request: this.gifts.putRight(call.request) } : call);
      case 'as a dry run':
        return call.kind === 'add' ? { ...call, dryRun: true } : call;
      case 'the other operation':
        return { ...(call.kind === 'add' ? this.reversal() : this.gifts.next()), user: call.user, key: call.key };
      case 'another key':
        return this.sentAgain({ ...call, key: this.random.percent(50) ? undefined : `${call.key ?? 'no key'} again` });
      case 'the gift is taken back':
        return { ...this.reversal(), contributionId: this.giftOf(call) };
    }
  }

  private changed(call: AddGift | ReverseGift): AddGift | ReverseGift {
    if (call.kind === 'add') return { ...call, request: this.gifts.changed(call.request) };
    if (this.random.percent(50)) return { ...call, contributionId: this.contributionId() };
    return { ...call, source: `${call.source}.` };
  }

  /** In another notation. */
  private sentAgain(call: AddGift | ReverseGift): AddGift | ReverseGift {
    const quoted = this.random.percent(50);
    return call.kind === 'add' ? { ...call, quoted, body: written(call.request, this.random) } : { ...call, quoted };
  }

  /** The gift that the call is about. */
  private giftOf(call: AddGift | ReverseGift): number {
    if (call.kind === 'reverse') return call.contributionId;
    const gift = [...this.books.ledger.entries.values()].find(({ giver }) => giver === call.request.giver);
    return gift?.id ?? this.contributionId();
  }

  /** Of two of one family, who share contacts, or of any two. */
  private merge(): Operation {
    const from = this.gifts.peopleId();
    const into = this.random.weighted([
      [60, this.relativeOf(from)],
      [37, this.gifts.peopleId()],
      [3, from],
    ]);
    return { kind: 'merge', from, into };
  }

  /** Rather of what was accepted at its old place, and to somebody of the family. */
  private reassignment(): Operation {
    const contributionId = this.random.percent(50) ? this.reviewed(true) : this.contributionId();
    const personId = this.books.ledger.entries.get(contributionId)?.personId ?? UNKNOWN_ID;
    const peopleId = this.random.weighted([
      [50, this.relativeOf(personId)],
      [40, this.gifts.peopleId()],
      [10, personId],
    ]);
    return { kind: 'reassign', contributionId, peopleId };
  }

  /** Of a contact that a gift has brought along. */
  private confirmation(): Operation {
    const unconfirmed = this.books.people
      .all()
      .flatMap(({ id: peopleId, contacts }) =>
        [...contacts].filter(([, confirmed]) => !confirmed).map(([contact]) => ({ peopleId, contact })),
      );
    const { peopleId, contact } = this.random.recent(unconfirmed) ?? { peopleId: UNKNOWN_ID, contact: 'none' };
    return { kind: 'confirm contact', peopleId, contact };
  }

  private relativeOf(personId: number): number {
    const { people } = this.books;
    const last = people.standing(personId)?.details.last.same;
    const relatives = people.all().filter(({ id, details }) => id !== personId && details.last.same === last);
    return this.random.some(relatives)?.id ?? UNKNOWN_ID;
  }

  /** Of a gift that stands, one that was taken back, a reversing entry, or nothing. */
  private contributionId(): number {
    const { random } = this;
    if (random.percent(5)) return UNKNOWN_ID;
    const entries = [...this.books.ledger.entries.values()];
    const wanted = random.weighted<(entry: Entry) => boolean>([
      [75, ({ reverses, reversal }) => reverses === null && reversal === null],
      [15, ({ reversal }) => reversal !== null],
      [10, ({ reverses }) => reverses !== null],
    ]);
    return random.recent(entries.filter(wanted))?.id ?? UNKNOWN_ID;
  }

  /** A gift that waits for somebody's look, or one that somebody has looked at; sometimes any. */
  private reviewed(accepted: boolean): number {
    if (this.random.percent(10)) return this.contributionId();
    const reviews = [...this.books.reviews.byGift].filter(([, { acceptedBy }]) => (acceptedBy !== null) === accepted);
    return this.random.recent(reviews)?.[0] ?? UNKNOWN_ID;
  }

  private openBundle(): number {
    const open = [...this.books.ledger.bundles.values()].filter((bundle) => bundle.open);
    return this.random.recent(open)?.id ?? UNKNOWN_ID;
  }

  private fundId(): number {
    return this.random.some(this.books.ledger.funds)?.id ?? UNKNOWN_ID;
  }

  private user(): ApiUser {
    return this.random.pick(API_USERS);
  }
}

/** Whether the call does something once, however often it comes. */
function isRepeatable(call: AddGift | ReverseGift): boolean {
  if (call.key !== undefined) return call.kind === 'reverse' || !call.dryRun;
  return call.kind === 'add' && call.request.transactionId !== undefined && !call.dryRun;
}
