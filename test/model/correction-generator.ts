import type { Books } from './books.js';
import type { Entry } from './entry.js';
import {
  API_USERS,
  type CorrectPayment,
  type Move,
  type Reinstate,
  REASONS,
  type ReverseAsFinance,
  type ReverseGift,
  type ReverseTransaction,
  type TakeBack,
  TREASURER,
  UNKNOWN_ID,
} from './operation.js';
import { isGift, isReversed, leftOfPayment } from './payment-model.js';
import type { Random } from './random.js';
import { SOURCES } from './gift-generator.js';
import { queryOf } from './written.js';

/** Generates reversals, reinstatements and moves, mostly of gifts of which something is left. */
export class CorrectionGenerator {
  private calls = 0;

  constructor(
    private readonly random: Random,
    private readonly books: Books,
  ) {}

  /** A correction that was not sent before. */
  next(): CorrectPayment {
    return this.random.weighted<() => CorrectPayment>([
      [47, () => this.reversal()],
      [3, () => this.reversalOfRefund()],
      [15, () => this.ofTransaction()],
      [10, () => this.reversalAsFinance()],
      [12, () => this.reinstatement()],
      [13, () => this.move()],
    ])();
  }

  reversal(contributionId = this.contributionId()): ReverseGift {
    const taken = this.takeBack(contributionId);
    return {
      kind: 'reverse',
      user: this.random.pick(API_USERS),
      ...this.keyed(),
      contributionId,
      source: this.random.pick(SOURCES),
      ...taken,
      query: queryOf(taken, this.random),
    };
  }

  /** A reversal of all that is left. */
  wholeReversal(contributionId: number): ReverseGift {
    return this.sentAgain({ ...this.reversal(contributionId), cents: undefined, fundId: undefined });
  }

  /** The call with one thing changed, so that it is another request. */
  changed(call: CorrectPayment): CorrectPayment {
    const { random } = this;
    if (call.kind === 'reinstate') return { ...call, note: `${call.note ?? ''}.` };
    if (call.kind === 'move')
      return random.percent(50) ? { ...call, note: `${call.note ?? ''}.` } : { ...call, fundId: this.fundId() };
    if (call.kind === 'reverse' && random.percent(25)) return { ...call, contributionId: this.contributionId() };
    if (call.kind !== 'reverse as finance' && random.percent(20)) return { ...call, source: `${call.source}.` };
    return this.sentAgain({
      ...call,
      ...random.pick<Partial<TakeBack>>([
        { cents: call.cents === undefined ? 1 : call.cents + 1 },
        { reason: call.reason === 'refund' ? 'error' : 'refund' },
        { fundId: call.fundId === undefined ? this.fundId() : undefined },
      ]),
    } as CorrectPayment);
  }

  /** The same call in another notation. */
  sentAgain<C extends CorrectPayment>(call: C): C {
    const quoted = this.random.percent(50);
    return 'query' in call ? { ...call, quoted, query: queryOf(call, this.random) } : { ...call, quoted };
  }

  /** The id of any entry, mostly of a gift of which something is left, or an unknown id. */
  contributionId(): number {
    const { random } = this;
    if (random.percent(4)) return UNKNOWN_ID;
    const entries = [...this.books.ledger.entries.values()];
    const wanted = random.weighted<(entry: Entry) => boolean>([
      [45, (entry) => isGift(entry) && !isReversed(entry)],
      // Payments with a history, or with several parts.
      [30, (entry) => isGift(entry) && entry.payment.entries.length > 1 && leftOfPayment(entry.payment) > 0],
      [10, isReversed],
      [8, ({ kind }) => kind === 'reversing entry'],
      [7, ({ kind }) => kind === 'move'],
    ]);
    return (random.recent(entries.filter(wanted)) ?? random.recent(entries))?.id ?? UNKNOWN_ID;
  }

  /** A reversal with the refund id of an earlier one, mostly of another gift. */
  private reversalOfRefund(): ReverseGift {
    const refund = this.random.recent([...this.books.refunds.keys()]);
    if (refund === undefined) return this.reversal();
    const [user, source, refundId] = JSON.parse(refund) as [ReverseGift['user'], string, string];
    return this.sentAgain({ ...this.reversal(), user, source, refundId });
  }

  private ofTransaction(): ReverseTransaction | ReverseGift {
    const { random } = this;
    const [pair, sent] = random.recent([...this.books.transactions]) ?? [];
    if (pair === undefined || sent === undefined) return this.reversal();
    const [, source, transactionId] = JSON.parse(pair) as [string, string, string];
    const taken = this.takeBack(sent.payment.entries[0]?.id ?? UNKNOWN_ID);
    return {
      kind: 'reverse transaction',
      // Sometimes a user who has not sent it.
      user: random.percent(90) ? sent.payment.user : random.pick(API_USERS),
      ...this.keyed(),
      source,
      transactionId: random.percent(95) ? transactionId : `${transactionId}?`,
      ...taken,
      query: queryOf(taken, random),
    };
  }

  private reversalAsFinance(): ReverseAsFinance {
    const { random } = this;
    const contributionId = this.contributionId();
    return {
      kind: 'reverse as finance',
      ...this.correction(contributionId),
      ...this.takeBack(contributionId),
      reason: random.percent(95) ? random.pick(REASONS) : undefined,
      refundId: undefined,
    };
  }

  private reinstatement(): Reinstate {
    const { random } = this;
    const reversed = [...this.books.ledger.entries.values()].filter(({ kind }) => kind === 'reversing entry');
    const entry = random.recent(reversed);
    const named = random.percent(50) ? entry : entry?.of;
    return { kind: 'reinstate', ...this.correction(random.percent(85) ? named?.id : this.contributionId()) };
  }

  private move(): Move {
    const note = this.random.percent(95) ? `Move ${this.calls}` : undefined;
    return { kind: 'move', ...this.correction(), note, fundId: this.random.percent(85) ? this.fundId() : UNKNOWN_ID };
  }

  private correction(contributionId = this.contributionId()): Omit<Reinstate, 'kind'> {
    const keyed = this.keyed();
    const note = this.random.percent(40) ? `Correction ${this.calls}` : undefined;
    return { user: TREASURER, ...keyed, contributionId, note };
  }

  private keyed(): Pick<CorrectPayment, 'key' | 'quoted' | 'twice'> {
    this.calls += 1;
    const key = this.random.percent(40) ? `correction ${this.calls}` : undefined;
    return { key, quoted: this.random.percent(50), twice: false };
  }

  /** All that is left, a part of it, exactly it, or more. */
  private takeBack(contributionId: number): TakeBack {
    const { random } = this;
    const payment = this.books.ledger.entries.get(contributionId)?.payment;
    const left = payment === undefined ? 100 : leftOfPayment(payment);
    return {
      cents: random.weighted<number | undefined>([
        [40, undefined],
        [25, 1 + random.below(Math.max(1, left))],
        // Such small amounts that some parts give nothing.
        [20, 1 + random.below(3)],
        [8, Math.max(1, left)],
        [7, left + 1],
      ]),
      reason: random.percent(50) ? random.pick(REASONS) : undefined,
      fundId: random.percent(15) ? this.fundId() : undefined,
      // Few, so that they repeat.
      refundId: random.percent(30)
        ? `refund-${random.percent(85) ? this.calls : random.below(this.calls + 1)}`
        : undefined,
    };
  }

  private fundId(): number {
    return this.random.some(this.books.ledger.funds)?.id ?? UNKNOWN_ID;
  }
}
