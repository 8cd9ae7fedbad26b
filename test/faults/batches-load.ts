import { expect } from '@jest/globals';
import type { Ledger } from '../support/ledger-invariants.js';
import { assertSame, type LoadOptions, Processors, type RepeatedCall } from '../support/load.js';
import { gift } from '../support/test-app.js';
import { addBatch, amountOf, type GiftResult, resultsOf, splitsOf } from './batch.js';

/** How many gifts a batch has. */
export const GIFTS = 30;

/** A gift of a batch with its own id. */
interface SentGift {
  readonly TransactionId: string;
  readonly Amount: string;
  readonly Splits?: readonly object[];
}

/**
 * Processors that send batches. Two each send the same batches at the same time, and each batch begins with the last gift
 * of the one before.
 */
export class Batches extends Processors {
  /** What the books must contain, by TransactionId: "t of 12.34 is contribution 5 in 3 parts". */
  readonly gifts = new Map<string, string>();
  readonly givers = new Set<string>();
  /** The number of gifts that were answered with 200, those that were sent again included. */
  answered = 0;

  constructor(
    options: LoadOptions,
    private readonly funds: readonly number[],
  ) {
    super(options);
  }

  protected async turn(call: RepeatedCall, index: number, count: number): Promise<void> {
    const sender = Math.floor(index / 2);
    const numbers = Array.from({ length: GIFTS }, (_, place) => count * (GIFTS - 1) + place);
    const gifts = numbers.map((number) => this.giftOf(sender, number));
    const results = resultsOf(await call((client) => addBatch(client, gifts)));
    expect(results.map(({ Index }) => Index)).toEqual(numbers.map((_number, place) => place));
    for (const result of results) this.note(gifts[result.Index], result);
  }

  async assertBooked(ledger: Ledger): Promise<void> {
    const rows = await ledger.query<{ line: string }>(
      `SELECT format('%s of %s is contribution %s in %s parts', transaction_id, sum(amount), payment_id, count(*)) AS line
       FROM contribution WHERE source = $1 GROUP BY transaction_id, payment_id`,
      [this.options.name],
    );
    assertSame(
      rows.map(({ line }) => line),
      [...this.gifts.values()],
    );
    const [persons] = await ledger.query<{ count: number }>(
      `SELECT count(DISTINCT person_id)::integer AS count FROM contribution WHERE source = $1`,
      [this.options.name],
    );
    expect(persons?.count).toBe(this.givers.size);
  }

  /** Every third gift is split, every tenth is invalid, every fourth is of a new giver. */
  private giftOf(sender: number, number: number): SentGift {
    const { name } = this.options;
    const cents = 1_000 + number;
    const giver = number % 4 === 1 ? `${name}${sender}n${number}` : `${name}${number % 3}`;
    const fields = { Phone: 'n/a', Source: name, TransactionId: `${sender}-${number}`, Amount: amountOf(cents) };
    if (number % 10 === 9) return { ...gift(giver), ...fields, Amount: '0' };
    this.givers.add(giver);
    return { ...gift(giver), ...fields, ...(number % 3 === 0 && { Splits: splitsOf(cents, this.funds) }) };
  }

  private note(sent: SentGift | undefined, { Status, Answer, Problem }: GiftResult): void {
    if (sent === undefined) throw new Error('There are more results than gifts');
    const { TransactionId, Amount, Splits = [{}] } = sent;
    if (Amount === '0') {
      expect([Status, Problem?.code]).toEqual([400, 'invalid_request']);
      return;
    }
    expect([TransactionId, Status, Problem]).toEqual([TransactionId, 200, undefined]);
    const line = `${TransactionId} of ${Amount} is contribution ${Answer?.ContributionId} in ${Splits.length} parts`;
    // A gift that is sent again gets its first answer.
    expect(line).toBe(this.gifts.get(TransactionId) ?? line);
    this.gifts.set(TransactionId, line);
    this.answered++;
  }
}
