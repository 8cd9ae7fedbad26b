import type supertest from 'supertest';
import { postAs } from '../finance/finance-calls.js';
import { addedGift } from '../contract/gift-requests.js';
import type { Login, TestApp } from '../support/test-app.js';

/** A deposit in an answer. */
export interface DepositAnswer {
  readonly id: number;
  readonly status: string;
  readonly itemCount: number;
  readonly unknownCount: number;
  readonly gross: string;
  readonly fees: string;
  readonly reversed: string;
  readonly adjusted: string;
  readonly expected: string;
  readonly difference: string | null;
}

/** An item in an answer. */
export interface ItemAnswer {
  readonly itemId: number;
  readonly kind: string;
  readonly paymentId: number | null;
  readonly reversalId: number | null;
  readonly removedBy: string | null;
}

/** A likely cause in an answer. */
export interface CauseAnswer {
  readonly code: string;
  readonly words: string;
  readonly count: number;
  readonly amount: string | null;
  readonly explains: boolean;
}

/** The answer of ReadDeposit. */
export interface DetailsAnswer extends DepositAnswer {
  readonly items: readonly ItemAnswer[];
  readonly next: number | null;
  readonly likelyCauses: readonly CauseAnswer[];
  readonly adjustments: readonly object[];
  readonly reversedSince: readonly object[];
  readonly bundles: readonly { readonly bundleId: number; readonly uncovered: number; readonly status: string }[];
}

let count = 0;

/** A text that no other test has sent. */
export const unique = (prefix: string): string => `${prefix}-${++count}`;

/** Calls of processors and of Finance about deposits. */
export class DepositCalls {
  constructor(
    readonly app: TestApp,
    readonly finance: Login,
  ) {}

  /** A gift with a transaction id. @returns its ContributionId and the TransactionId. */
  async gift(fields: object = {}): Promise<{ readonly id: number; readonly transactionId: string }> {
    const transactionId = unique('T');
    const sent = { Amount: '10', Source: 'txt2give', TransactionId: transactionId, ...fields };
    return { id: (await addedGift(this.app, sent)).ContributionId, transactionId };
  }

  /** Some gifts. @returns their ids. */
  async gifts(...amounts: readonly string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const Amount of amounts) ids.push((await this.gift({ Amount })).id);
    return ids;
  }

  /** SendDeposit as the processor. */
  send(fields: object, login = this.app.login): supertest.Test {
    const sent = { DepositId: unique('po'), Source: 'txt2give', Date: '2026-11-20', ...fields };
    return postAs(this.app, login, 'Deposits', sent);
  }

  /** SendDeposit of payments by their ids, which must be accepted. */
  async sent(ids: readonly number[], fields: object = {}): Promise<DepositAnswer> {
    const Items = ids.map((ContributionId) => ({ ContributionId }));
    return this.accepted({ Items, ...fields });
  }

  /** SendDeposit that must be accepted. */
  async accepted(fields: object): Promise<DepositAnswer> {
    return (await this.send(fields).expect(200)).body as DepositAnswer;
  }

  /** A call of Finance. */
  post(path: string, body?: object): supertest.Test {
    return postAs(this.app, this.finance, path, body);
  }

  /** ReadDeposit as Finance. */
  async read(id: number, query = ''): Promise<DetailsAnswer> {
    return (await this.app.get(`Deposits/${id}${query}`, this.finance).expect(200)).body as DetailsAnswer;
  }

  /** The codes of the likely causes. */
  async causesOf(id: number): Promise<string[]> {
    return (await this.read(id)).likelyCauses.map(({ code }) => code);
  }

  /** Reverses a gift, and returns the id of the reversing entry. */
  async reverse(id: number, query = ''): Promise<number> {
    await this.app.reverse(`${id}/txt2give${query}`).expect(200);
    const { reversal } = (await this.app.read(id).expect(200)).body as { reversal: { contributionId: number } };
    return reversal.contributionId;
  }
}

/** Makes each call about deposits once or more, with success. */
export async function makeEveryDepositCall(app: TestApp, finance: Login): Promise<void> {
  const calls = new DepositCalls(app, finance);
  const [one = 0, two = 0] = await calls.gifts('11', '12');
  const late = unique('late');
  const Items = [{ ContributionId: one, Fee: '1' }, { ContributionId: two }, { TransactionId: late }];
  const { id } = await calls.accepted({ Items, Amount: '15' });
  await calls.gift({ Amount: '5', TransactionId: late });
  const { items } = await calls.read(id);
  await calls.post(`Deposits/${id}/items/remove`, { ItemIds: [items[1]?.itemId], Reason: 'x' }).expect(200);
  await calls.reverse(two);
  await calls.post(`Deposits/${id}/items`, { Items: [{ ReversalOf: two }] }).expect(200);
  await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '5' }).expect(200);
  await calls.post(`Deposits/${id}/bank/withdraw`).expect(200);
  await calls.post(`Deposits/${id}/bank`, { Date: '2026-11-23', Amount: '4' }).expect(200);
  await calls.post(`Deposits/${id}/adjust`, { Amount: '1', Reason: 'x' }).expect(200);
  await calls.post(`Deposits/${id}/reconcile`).expect(200);
  await calls.post(`Deposits/${id}/close-bundles`).expect(200);
  await calls.post(`Deposits/${id}/items`, { Items: [{ ContributionId: two }] }).expect(409);
  await calls.gift({ Source: 'role', PayoutId: 'po_1' });
  await calls.post('Payouts/deposit', { Source: 'role', PayoutId: 'po_1' }).expect(200);
  for (const path of ['Deposits', 'Payouts', 'Undeposited?source=role']) await app.get(path, finance).expect(200);
}
