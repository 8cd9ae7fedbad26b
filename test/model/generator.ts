import type { Books } from './books.js';
import { GiftGenerator, SOURCES } from './gift-generator.js';
import type { Entry } from './entry.js';
import { type AddGift, API_USERS, type ApiUser, type Operation, type ReverseGift, UNKNOWN_ID } from './operation.js';
import { Random } from './random.js';
import { written } from './written.js';

/** Generates operations. They are the same for the same seed as long as the service gives the same answers. */
export class Generator {
  private readonly random: Random;
  private readonly gifts: GiftGenerator;
  /** Calls with a key or a transaction that can be repeated. */
  private readonly repeatable: (AddGift | ReverseGift)[] = [];
  private reversals = 0;

  constructor(
    seed: number,
    private readonly books: Books,
  ) {
    this.random = new Random(seed);
    this.gifts = new GiftGenerator(this.random, books);
  }

  /** The next operation. */
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

  /** An earlier call, unchanged or with one change. */
  private repeated(): AddGift | ReverseGift {
    const wanted = this.random.percent(30) ? 'reverse' : 'add';
    const call = this.random.recent(this.repeatable.filter(({ kind }) => kind === wanted));
    if (call === undefined) return this.gifts.next();
    const variant = this.random.weighted([
      [40, 'the same'],
      [15, 'another request'],
      [8, 'another user'],
      [8, 'corrected'],
      [5, 'as a dry run'],
      [8, 'the other operation'],
      [15, 'another key'],
      [10, 'a reversal of the gift'],
    ] as const);
    switch (variant) {
      case 'the same':
        return this.sentAgain(call);
      case 'another request':
        return this.sentAgain(this.changed(call));
      case 'another user':
        return this.sentAgain({ ...call, user: call.user === 'api' ? 'second' : 'api' });
      case 'corrected':
        return this.sentAgain(call.kind === 'add' ? { ...call, request: this.gifts.corrected(call.request) } : call);
      case 'as a dry run':
        return call.kind === 'add' ? { ...call, dryRun: true } : call;
      case 'the other operation':
        return { ...(call.kind === 'add' ? this.reversal() : this.gifts.next()), user: call.user, key: call.key };
      case 'another key':
        return this.sentAgain({ ...call, key: this.random.percent(50) ? undefined : `${call.key ?? 'no key'} again` });
      case 'a reversal of the gift':
        return { ...this.reversal(), contributionId: this.giftOf(call) };
    }
  }

  private changed(call: AddGift | ReverseGift): AddGift | ReverseGift {
    if (call.kind === 'add') return { ...call, request: this.gifts.changed(call.request) };
    if (this.random.percent(50)) return { ...call, contributionId: this.contributionId() };
    return { ...call, source: `${call.source}.` };
  }

  /** The same call in another notation. */
  private sentAgain(call: AddGift | ReverseGift): AddGift | ReverseGift {
    const quoted = this.random.percent(50);
    return call.kind === 'add' ? { ...call, quoted, body: written(call.request, this.random) } : { ...call, quoted };
  }

  /** The gift that the call adds or reverses. */
  private giftOf(call: AddGift | ReverseGift): number {
    if (call.kind === 'reverse') return call.contributionId;
    const gift = [...this.books.ledger.entries.values()].find(({ giver }) => giver === call.request.giver);
    return gift?.id ?? this.contributionId();
  }

  /** A merge of two persons, often of one family with shared contacts. */
  private merge(): Operation {
    const from = this.gifts.peopleId();
    const into = this.random.weighted([
      [60, this.relativeOf(from)],
      [37, this.gifts.peopleId()],
      [3, from],
    ]);
    return { kind: 'merge', from, into };
  }

  /** A reassignment, often of a gift whose review was accepted and to a person of the same family. */
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

  /** The confirmation of a contact that a gift added. */
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
    const last = people.survivorOf(personId)?.details.last.same;
    const relatives = people.all().filter(({ id, details }) => id !== personId && details.last.same === last);
    return this.random.some(relatives)?.id ?? UNKNOWN_ID;
  }

  /** The id of a gift, a reversed gift, a reversing entry, or an unknown id. */
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

  /** A gift with an open or an accepted review; sometimes any contribution. */
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

/** Whether the call has an effect only once, however often it is sent. */
function isRepeatable(call: AddGift | ReverseGift): boolean {
  if (call.key !== undefined) return call.kind === 'reverse' || !call.dryRun;
  return call.kind === 'add' && call.request.transactionId !== undefined && !call.dryRun;
}
