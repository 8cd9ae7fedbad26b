import { type Answer, Client } from '../support/client.js';
import type { Ledger } from '../support/ledger-invariants.js';
import { assertSame, type LoadOptions, Processors, type RepeatedCall } from '../support/load.js';
import { gift, type Login } from '../support/test-app.js';
import { addBatch, amountOf, resultsOf, splitsOf } from './batch.js';
import { randomFrom } from './random.js';

/** How many payments a batch has. */
const BATCH = 50;
/** How many calls that take back, reinstate or move come after each batch. */
const CORRECTIONS = 25;
/** How many of the latest payments are chosen more often, so that several processors take back of one payment at once. */
const BUSY = 10;
const REASONS = ['refund', 'returned', 'chargeback', 'duplicate', 'error'];
/** What a correction is answered if it comes too late. */
const REFUSALS = ['already_reversed', 'reversal_exceeds_gift', 'not_reinstatable', 'not_movable'];

interface Payment {
  readonly id: number;
  readonly transactionId: string;
  readonly cents: number;
  readonly parts: number;
}

/** The options of a load of payments. */
interface PaymentsLoadOptions extends LoadOptions {
  /** A user with the role Finance. */
  readonly finance: Login;
  /** The funds over which payments are split. */
  readonly funds: readonly number[];
  /** The seed of the random choices. */
  readonly seed: number;
}

/**
 * Processors that record payments in batches, a third of them split, and take random amounts back of their own payments
 * and of others'. Each reversal has its own refundId, and some are sent twice at once. Finance reinstates and moves some.
 */
export class PaymentsLoad extends Processors {
  readonly payments: Payment[] = [];
  /** Lines about the reversals that were answered with 200: "refund of payment 5, 12.34". */
  readonly reversals: string[] = [];
  /** The contributions that were answered to Finance. */
  readonly reinstatements: number[] = [];
  readonly moves: number[] = [];
  private readonly randoms: (() => number)[];
  private corrections = 0;

  constructor(private readonly load: PaymentsLoadOptions) {
    super(load);
    this.randoms = Array.from({ length: load.clients }, (_, index) => randomFrom(load.seed * 1_000 + index));
  }

  /** @throws Error that names what is not in the books as it was answered. */
  async assertBooked(ledger: Ledger): Promise<void> {
    const { name } = this.options;
    const linesOf = async (sql: string, values: readonly unknown[] = []): Promise<string[]> =>
      (await ledger.query<{ line: string }>(sql, values)).map(({ line }) => line);
    const payments = await linesOf(
      `SELECT format('%s: %s of %s in %s', transaction_id, payment_id, sum(amount), count(*)) AS line FROM contribution
       WHERE source = $1 AND num_nonnulls(reverses_id, moves_id, reinstates_id) = 0 GROUP BY transaction_id, payment_id`,
      [name],
    );
    assertSame(
      payments,
      this.payments.map(
        ({ id, transactionId, cents, parts }) => `${transactionId}: ${id} of ${amountOf(cents)} in ${parts}`,
      ),
    );
    const reversals = await linesOf(
      `SELECT format('%s of payment %s, %s', refund_id, payment_id, CASE WHEN refund_id LIKE 'rest%' THEN 'rest'
         ELSE (-sum(amount))::text END) AS line
       FROM contribution WHERE reverses_id IS NOT NULL GROUP BY reversal_id, refund_id, payment_id`,
    );
    assertSame(reversals, this.reversals);
    assertSame(
      await linesOf('SELECT id::text AS line FROM contribution WHERE reinstates_id IS NOT NULL'),
      this.reinstatements.map(String),
    );
    assertSame(
      await linesOf('SELECT id::text AS line FROM contribution WHERE moves_id IS NOT NULL'),
      this.moves.map(String),
    );
  }

  protected async turn(call: RepeatedCall, index: number, count: number): Promise<void> {
    await this.record(call, index, count);
    for (let i = 0; i < CORRECTIONS; i++) {
      const share = this.random(index);
      if (share < 0.8) await this.takeBack(call, index);
      else await this.correct(call, index, share < 0.9 ? 'reinstate' : 'move');
    }
  }

  private async record(call: RepeatedCall, index: number, count: number): Promise<void> {
    const { name } = this.options;
    const { funds } = this.load;
    const payments = Array.from({ length: BATCH }, (_, place) => ({
      transactionId: `${index}-${count}-${place}`,
      cents: 100 + this.upTo(index, 100_000),
      parts: place % 3 === 0 ? funds.length : 1,
    }));
    const gifts = payments.map(({ transactionId, cents, parts }, place) => ({
      ...gift(place % 4 === 1 ? `${name}${index}n${count}` : `${name}${index}g${place % 5}`, { Phone: 'n/a' }),
      ...{ Source: name, TransactionId: transactionId, Amount: amountOf(cents), Fee: amountOf(this.upTo(index, 100)) },
      ...(parts > 1 && { Splits: splitsOf(cents, funds) }),
    }));
    for (const { Index, Status, Answer: added } of resultsOf(await call((client) => addBatch(client, gifts)))) {
      const payment = payments[Index];
      if (payment === undefined || added === undefined) throw new Error(`A payment was answered with ${Status}`);
      this.payments.push({ ...payment, id: added.ContributionId });
    }
  }

  /** Takes back a random amount, or all that is left, of any payment or of it in one fund. */
  private async takeBack(call: RepeatedCall, index: number): Promise<void> {
    const { name } = this.options;
    const { id, transactionId, cents } = this.anyPayment(index);
    const isRest = this.random(index) < 0.1;
    const amount = amountOf(1 + this.upTo(index, Math.ceil(cents / 2)));
    const refundId = `${isRest ? 'rest' : 'part'}-${index}-${++this.corrections}`;
    const query = new URLSearchParams({ refundId, ...(!isRest && { amount }) });
    if (this.random(index) < 0.7) query.set('reason', this.oneOf(index, REASONS));
    if (this.random(index) < 0.2) query.set('fundId', String(this.oneOf(index, this.load.funds)));
    const paths = [`ReverseContribution/${id}/${name}`, `Transactions/${name}/${transactionId}/reverse`];
    const send = (path: string): Promise<Answer> =>
      call((client) => client.request(`/Api/${path}?${query.toString()}`, { method: 'POST' }));
    // Some senders repeat a refund before it is answered.
    const twins = this.random(index) < 0.1 ? paths : [this.oneOf(index, paths)];
    // A refused twin stores nothing. The other one may then be done, if Finance reinstates a gift between the two.
    const done = (await Promise.all(twins.map(send))).filter(wasDone);
    if (new Set(done.map(({ body }) => JSON.stringify(body))).size > 1)
      throw new Error(`Twins of ${refundId} got two answers`);
    if (done.length > 0) this.reversals.push(`${refundId} of payment ${id}, ${isRest ? 'rest' : amount}`);
  }

  private async correct(call: RepeatedCall, index: number, what: 'reinstate' | 'move'): Promise<void> {
    const { id } = this.anyPayment(index);
    const key = `${what} ${++this.corrections}`;
    const body = what === 'move' ? { FundId: this.oneOf(index, this.load.funds), Reason: 'meant for it' } : {};
    const answer = await call(({ url }) =>
      new Client(url, ...this.load.finance).request(`/Api/Contributions/${id}/${what}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: JSON.stringify(body),
      }),
    );
    if (!wasDone(answer)) return;
    const added = what === 'move' ? this.moves : this.reinstatements;
    added.push(...(answer.body['contributionIds'] as number[]));
  }

  /** Half of the time one of the latest payments, which are taken back of by several processors at once. */
  private anyPayment(index: number): Payment {
    const isBusy = this.random(index) < 0.5;
    return this.oneOf(index, isBusy ? this.payments.slice(-BUSY) : this.payments);
  }

  private random(index: number): number {
    return this.randoms[index]?.() ?? 0;
  }

  /** A whole number from 0 to below the limit. */
  private upTo(index: number, limit: number): number {
    return Math.floor(this.random(index) * limit);
  }

  private oneOf<T>(index: number, choices: readonly T[]): T {
    const choice = choices[this.upTo(index, choices.length)];
    if (choice === undefined) throw new Error('There is nothing to choose from');
    return choice;
  }
}

/** Whether a correction was made, or came too late. @throws Error for any other answer. */
function wasDone(answer: Answer | undefined): boolean {
  if (answer?.status === 200) return true;
  if (REFUSALS.includes(String(answer?.body['code']))) return false;
  throw new Error(`A correction was answered with ${answer?.status} ${JSON.stringify(answer?.body)}`);
}
