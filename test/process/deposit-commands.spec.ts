import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DepositCalls } from '../e2e/deposit-calls.js';
import { atKeyboard } from '../support/at-keyboard.js';
import { type Outcome, runProgram } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let calls: DepositCalls;
beforeAll(async () => {
  service = await startTestApp();
  calls = new DepositCalls(service, await service.createUser('treasurer', 'some long password', ['Finance']));
});
afterAll(() => service.stop());

const offertory = (...args: string[]): Promise<Outcome> =>
  runProgram('cli', ['deposit', ...args], { DATABASE_URL: service.database.url });

/** The parsed JSON output of a command. */
async function json(...args: string[]): Promise<Record<string, unknown>> {
  const outcome = await offertory(...args, '--json');
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(outcome.stdout) as Record<string, unknown>;
}

it('deposit create, add, remove, bank, adjust, reconcile and close-bundles lead from a payout to closed bundles', async () => {
  const gifts = [await calls.gift({ Amount: '30', Fee: '1' }), await calls.gift({ Amount: '20', Fee: '0.50' })];
  const [one, two] = gifts;
  const reversal = await calls.reverse(one?.id ?? 0, '?amount=5');
  const created = await json('create', 'txt2give', 'po_cli', '2026-11-20', '--amount', '43.51');
  expect(created).toMatchObject({ depositId: 'po_cli', amount: '43.51', status: 'Differs', createdBy: 'command line' });
  const id = String(created['id']);
  await json('add', id, '--gift', String(one?.id), '--reversal-of', String(reversal), '--transaction', 'T-unknown');
  const added = await json('add', id, '--transaction', two?.transactionId ?? '', '--fee', '0.50');
  expect(added).toMatchObject({ itemCount: 4, unknownCount: 1, gross: '50.00', fees: '1.50', reversed: '5.00' });
  const shown = await offertory('show', id);
  expect(shown.stdout).toMatch(/^expected +43\.50$/m);
  expect(shown.stdout).toMatch(/not_in_books +- +1 item is not in the books: TransactionId T-unknown\./);
  expect(shown.stdout).toMatch(/Payment +\d+ +- +T-\d+ +30\.00 +1\.00/);
  const { items } = (await json('show', id)) as { items: { itemId: number; transactionId: string }[] };
  const unknown = items.find(({ transactionId }) => transactionId === 'T-unknown')?.itemId;
  await json('remove', id, String(unknown), '--reason', 'Sent to another church');
  expect(await json('bank', id, '2026-11-23', '44')).toMatchObject({ bankAmount: '44.00' });
  expect(await json('withdraw-bank', id)).toMatchObject({ bankAmount: null, difference: '0.01' });
  expect(await json('bank', id, '2026-11-23', '43.51', '--reference', 'Line 4')).toMatchObject({ difference: '0.01' });
  const early = await offertory('reconcile', id, '--yes');
  expect(early).toMatchObject({
    code: 1,
    stderr: `error: Deposit ${id} differs by USD 0.01. It was not reconciled.\n`,
  });
  await json('adjust', id, '--amount', '0.02', '--reason', 'Rounded');
  expect(await json('adjust', id, '--amount=-0.01', '--reason', 'Too much')).toMatchObject({ status: 'Matches' });
  expect(await json('reconcile', id)).toMatchObject({ status: 'Reconciled', reconciledBy: 'command line' });
  const closed = (await json('close-bundles', id)) as unknown as { status: string; why: string | null }[];
  expect(closed).toMatchObject([{ status: 'Closed', why: null }]);
});

it('deposit reconcile asks at a keyboard first', async () => {
  const [gift = 0] = await calls.gifts('12');
  const { id } = await calls.sent([gift], { DepositId: 'po_asked', Amount: '12' });
  const answer = (typed: string): string => atKeyboard(service.database.url, typed, `deposit reconcile ${id}`).stdout;
  expect(answer('n')).toContain(
    `Reconcile deposit ${id} (txt2give po_asked, 2026-11-20: 1 items, USD 12.00)? It can never change again. [y/N]`,
  );
  expect(await calls.read(id)).toMatchObject({ status: 'Matches' });
  expect(answer('y')).toContain('Reconciled');
  expect(await calls.read(id)).toMatchObject({ status: 'Reconciled' });
});

it('deposit payouts and create-from-payout find the gifts of a payout, and deposit list and undeposited show them', async () => {
  const fields = { Amount: '20', Fee: '0.50', Source: 'cli', PayoutId: 'po_7' };
  await calls.gift(fields);
  expect(await json('payouts', '--source', 'cli')).toMatchObject([{ payoutId: 'po_7', count: 1, gross: '20.00' }]);
  const undeposited = await offertory('undeposited', 'cli');
  expect(undeposited.stdout).toMatch(
    /^contributionId +kind +day +currency +amount.*giver\n\d+ +Payment .* Ann\w+ Lee\w+\n$/,
  );
  const made = await json('create-from-payout', 'cli', 'po_7');
  expect(made).toMatchObject({ source: 'cli', depositId: 'po_7', itemCount: 1, expected: '19.50', status: 'Open' });
  expect(await json('payouts', '--source', 'cli')).toEqual([]);
  expect(await json('list', '--source', 'cli', '--status', 'open')).toEqual([made]);
  const table = await offertory('list', '--source', 'cli');
  expect(table.stdout).toMatch(/^id +source +depositId +date +status +itemCount +currency +expected +difference\n/);
});

it.each<[readonly string[], string]>([
  [['show', '2000000001'], 'There is no deposit 2000000001.'],
  [['add', '1'], 'Name a payment or a reversal, for example by --gift 1.'],
  [['add', '1', '--gift', '1', '--gift', '2', '--fee', '1'], '--fee and --refund-id belong to one item.'],
  [['adjust', '1', '--amount', '0', '--reason', 'x'], 'Amount must not be zero.'],
  [['create-from-payout', 'cli', 'unknown'], 'No gift of the source cli has the PayoutId unknown.'],
])('deposit %j is refused in one line', async (args, message) => {
  expect(await offertory(...args)).toMatchObject({ code: 1, stderr: `error: ${message}\n` });
});
