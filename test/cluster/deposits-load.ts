import { expect } from '@jest/globals';
import { addBatch, amountOf, resultsOf } from '../faults/batch.js';
import type { Answer, Client } from '../support/client.js';
import type { Ledger } from '../support/ledger-invariants.js';
import { assertSame, Processors, type RepeatedCall } from '../support/load.js';
import { gift } from '../support/test-app.js';

/** How many gifts are paid out at once. */
const ITEMS = 3;

/** Processors that record gifts, pay them out by a deposit, and send every second deposit again. */
export class Deposits extends Processors {
  /** What the books must contain: "d-0-1 of 36.00 in 3 items". */
  readonly deposits: string[] = [];

  async assertBooked(ledger: Ledger): Promise<void> {
    const rows = await ledger.query<{ line: string }>(
      `SELECT format('%s of %s in %s items', d.deposit_id, d.amount, count(i.payment_id)) AS line
       FROM deposit d LEFT JOIN deposit_item i ON i.deposit_id = d.id WHERE d.source = $1 GROUP BY d.id`,
      [this.options.name],
    );
    assertSame(
      rows.map(({ line }) => line),
      this.deposits,
    );
  }

  protected async turn(call: RepeatedCall, index: number, count: number): Promise<void> {
    const { name } = this.options;
    const cents = 100 * (count % 1_000) + 100;
    const transactions = Array.from({ length: ITEMS }, (_, place) => `d-${index}-${count}-${place}`);
    const gifts = transactions.map((TransactionId) => ({
      ...gift(`${name}${index}`, { Phone: 'n/a', Source: name, Amount: amountOf(cents) }),
      TransactionId,
    }));
    const results = resultsOf(await call((client) => addBatch(client, gifts)));
    expect(results.map(({ Status }) => Status)).toEqual(transactions.map(() => 200));

    const total = amountOf(ITEMS * cents);
    const deposit = {
      ...{ DepositId: `d-${index}-${count}`, Source: name, Date: '2026-07-28', Amount: total },
      Items: transactions.map((TransactionId) => ({ TransactionId })),
    };
    const first = await call((client) => send(client, deposit));
    expect([first.status, first.body]).toMatchObject([200, { status: 'Matches', itemCount: ITEMS, expected: total }]);
    if (count % 2 === 0) {
      const again = await call((client) => send(client, deposit));
      expect([again.status, again.body['id']]).toEqual([200, first.body['id']]);
    }
    this.deposits.push(`${deposit.DepositId} of ${total} in ${ITEMS} items`);
  }
}

function send(client: Client, deposit: object): Promise<Answer> {
  return client.request('/Api/Deposits', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(deposit),
  });
}
