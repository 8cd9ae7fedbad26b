import type { DemoChurch } from './church.js';

/** The payouts at the end of which no deposit is made yet, and those before that are not at the bank yet. */
const WITHOUT_DEPOSIT = 2;
const NOT_AT_BANK = 2;

interface Payout {
  readonly source: string;
  readonly payoutId: string;
  readonly to: string;
}

interface Deposit {
  readonly id: number;
  readonly date: string;
  readonly expected: string;
}

/**
 * What the processors paid out in the last weeks: most of it is reconciled, one deposit differs by a refund, the next ones
 * are not at the bank yet, and the last ones are still to be made.
 */
export async function depositPayouts(church: DemoChurch): Promise<void> {
  const { payouts } = await church.call<{ payouts: readonly Payout[] }>('treasurer', 'Payouts');
  const made: Deposit[] = [];
  for (const { source, payoutId } of payouts.slice(WITHOUT_DEPOSIT).toReversed())
    made.push(await church.call<Deposit>('treasurer', 'Payouts/deposit', { Source: source, PayoutId: payoutId }));
  const atBank = made.slice(0, made.length - NOT_AT_BANK);
  for (const { id, date, expected } of atBank) {
    await church.call('treasurer', `Deposits/${id}/bank`, {
      Date: date,
      Amount: expected,
      Reference: `ACH ${1_000 + id}`,
    });
  }
  const differing = atBank.at(-1);
  for (const { id } of atBank) if (id !== differing?.id) await church.call('treasurer', `Deposits/${id}/reconcile`, {});
  if (differing !== undefined) await takeBackAndPayLess(church, differing);
}

/** The processor gives a gift of the payout back, and pays that much less. */
async function takeBackAndPayLess(church: DemoChurch, { id, date, expected }: Deposit): Promise<void> {
  interface Item {
    readonly paymentId: number;
    readonly amount: string;
    readonly kind: string;
  }
  const { items } = await church.call<{ items: readonly Item[] }>('treasurer', `Deposits/${id}`);
  const gift = items.find(({ kind }) => kind === 'Payment');
  if (gift === undefined) return;
  await church.call('treasurer', `Contributions/${gift.paymentId}/reverse`, { Amount: '5.00', Reason: 'refund' });
  const cents = BigInt(expected.replace('.', '')) - 500n;
  const digits = String(cents).padStart(3, '0');
  const Amount = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  await church.call('treasurer', `Deposits/${id}/bank`, { Date: date, Amount, Reference: `ACH ${1_000 + id}` });
}
