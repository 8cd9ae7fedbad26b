import type { Books } from './books.js';
import { CorrectionGenerator } from './correction-generator.js';
import { DepositGenerator } from './deposit-generator.js';
import type { Entry } from './entry.js';
import { GiftGenerator } from './gift-generator.js';
import { ListGenerator } from './list-generator.js';
import {
  type AddBatch,
  type AddGift,
  API_USERS,
  type ApiUser,
  type CorrectPayment,
  type Operation,
  UNKNOWN_ID,
} from './operation.js';
import { Random } from './random.js';
import { batchWritten, written } from './written.js';

type KeyedCall = AddGift | CorrectPayment;

/** Generates operations. They are the same for the same seed as long as the service gives the same answers. */
export class Generator {
  private readonly random: Random;
  private readonly gifts: GiftGenerator;
  private readonly corrections: CorrectionGenerator;
  private readonly lists: ListGenerator;
  private readonly deposits: DepositGenerator;
  /** Deposits change nothing of the gifts, so with choices of their own they leave the other operations of a seed as they are. */
  private readonly depositRandom: Random;
  /** Calls with a key, a transaction or a refund id that can be repeated. */
  private readonly repeatable: KeyedCall[] = [];
  private readonly batches: AddBatch[] = [];

  constructor(
    seed: number,
    private readonly books: Books,
  ) {
    this.random = new Random(seed);
    this.gifts = new GiftGenerator(this.random, books);
    this.corrections = new CorrectionGenerator(this.random, books);
    this.lists = new ListGenerator(this.random, books);
    this.depositRandom = new Random(-seed);
    this.deposits = new DepositGenerator(this.depositRandom, books);
  }

  /** The next operation. */
  next(): Operation {
    if (this.depositRandom.percent(10)) return this.deposits.next();
    const operation = this.random.weighted<() => Operation>([
      [34, () => this.gifts.next()],
      [24, () => this.repeated()],
      [24, () => this.corrections.next()],
      [6, () => this.batch()],
      [5, () => this.lists.next()],
      [6, () => ({ kind: 'read', user: this.user(), contributionId: this.contributionId() })],
      [2, () => ({ kind: 'read giving', peopleId: this.giver() })],
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
    return 'twice' in operation && isRepeatable(operation) ? this.remembered(operation) : operation;
  }

  private remembered(call: KeyedCall): KeyedCall {
    this.repeatable.push(call);
    return { ...call, twice: this.random.percent(10) };
  }

  /** A few gifts, some of them sent before, alone or in a batch, with or without a change. Sometimes a whole batch again. */
  private batch(): AddBatch {
    const { random } = this;
    const earlier = random.percent(20) ? random.recent(this.batches) : undefined;
    const requests = earlier?.requests ?? Array.from({ length: 1 + random.below(5) }, () => this.giftOfBatch());
    const user = earlier?.user ?? this.user();
    const repeated = earlier === undefined && random.percent(20) ? requests.slice(0, 1) : [];
    const all = [...requests, ...repeated];
    const batch: AddBatch = { kind: 'add batch', user, requests: all, body: batchWritten(all, random) };
    this.batches.push(batch);
    return batch;
  }

  private giftOfBatch(): AddGift['request'] {
    const { random } = this;
    const sent = random.percent(20) ? random.recent([...this.books.transactions.values()]) : undefined;
    if (sent !== undefined) return random.percent(70) ? sent.request : this.gifts.changed(sent.request);
    const { request } = this.gifts.next();
    return random.percent(99) ? this.gifts.withTransaction(request) : request;
  }

  /** An earlier call, unchanged or with one change. */
  private repeated(): KeyedCall {
    const isAdd = this.random.percent(60);
    const call = this.random.recent(this.repeatable.filter(({ kind }) => (kind === 'add') === isAdd));
    if (call === undefined) return this.gifts.next();
    const variant = this.random.weighted([
      [40, 'the same'],
      [15, 'another request'],
      [8, 'another user'],
      [8, 'corrected'],
      [5, 'as a dry run'],
      [8, 'another operation'],
      [15, 'another key'],
      [20, 'a reversal of the gift'],
    ] as const);
    switch (variant) {
      case 'the same':
        return this.sentAgain(call);
      case 'another request':
        return this.sentAgain(this.changed(call));
      case 'another user':
        return this.sentAgain(ofOtherUser(call));
      case 'corrected':
        return this.sentAgain(call.kind === 'add' ? { ...call, request: this.gifts.corrected(call.request) } : call);
      case 'as a dry run':
        return call.kind === 'add' ? { ...call, dryRun: true } : call;
      case 'another operation': {
        const other = call.kind === 'add' ? this.corrections.reversal() : this.gifts.next();
        return { ...other, key: call.key, user: call.user === 'second' ? 'second' : 'api' };
      }
      case 'another key':
        return this.sentAgain({ ...call, key: this.random.percent(50) ? undefined : `${call.key ?? 'no key'} again` });
      case 'a reversal of the gift':
        return this.corrections.wholeReversal(this.giftOf(call));
    }
  }

  private changed(call: KeyedCall): KeyedCall {
    return call.kind === 'add'
      ? { ...call, request: this.gifts.changed(call.request) }
      : this.corrections.changed(call);
  }

  /** The same call in another notation. */
  private sentAgain(call: KeyedCall): KeyedCall {
    if (call.kind !== 'add') return this.corrections.sentAgain(call);
    return { ...call, quoted: this.random.percent(50), body: written(call.request, this.random) };
  }

  /** The gift that the call adds or corrects. */
  private giftOf(call: KeyedCall): number {
    if ('contributionId' in call) return call.contributionId;
    const isSame = ({ giver, transactionId }: Entry): boolean =>
      call.kind === 'add' ? giver === call.request.giver : transactionId === call.transactionId;
    return [...this.books.ledger.entries.values()].find(isSame)?.id ?? this.contributionId();
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

  private contributionId(): number {
    return this.corrections.contributionId();
  }

  /** A person with gifts. */
  private giver(): number {
    return this.random.recent([...this.books.ledger.entries.values()])?.personId ?? UNKNOWN_ID;
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

function ofOtherUser(call: KeyedCall): KeyedCall {
  switch (call.kind) {
    case 'add':
    case 'reverse':
    case 'reverse transaction':
      return { ...call, user: call.user === 'api' ? 'second' : 'api' };
    case 'reverse as finance':
    case 'reinstate':
    case 'move':
      return call;
  }
}

/** Whether the call has an effect only once, however often it is sent. */
function isRepeatable(call: KeyedCall): boolean {
  if (call.kind === 'add') return !call.dryRun && (call.key ?? call.request.transactionId) !== undefined;
  return call.key !== undefined || ('refundId' in call && call.refundId !== undefined);
}
