import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConsoleVisitor, logInToConsole } from '../support/console.js';
import { unique } from './deposit-calls.js';
import { DepositForms, DEPOSITS, fieldOf, NOTHING_ENTERED, textOf } from './deposit-forms.js';

const PASSWORD = 'correct horse battery';

let on: DepositForms;
let auditor: ConsoleVisitor;

beforeAll(async () => {
  on = await DepositForms.open();
  auditor = await logInToConsole(on.service, await on.service.createUser('auditor', PASSWORD, ['Auditor']));
});
afterAll(() => on.service.stop());

describe('a deposit', () => {
  it('shows payout, gross, fees, what was taken back, net, the bank’s amount and the difference; its reading is recorded once', async () => {
    const { id, ids } = await on.deposit(['600', '400'], { Fee: '10.00', Source: 'keeping' });
    await on.calls.reverse(ids[0] ?? 0, '?amount=50.00&reason=refund');
    await on.calls.post(`Deposits/${id}/bank`, { Date: '2026-11-25', Amount: '930', Reference: 'line 4' }).expect(200);
    const text = textOf(await on.page(`${DEPOSITS}/${id}`, auditor));
    expect(text).toContain('Gifts, as the givers paid 1,000.00 2 items');
    expect(text).toContain('Fees −20.00');
    expect(text).toContain('Taken back 0.00');
    expect(text).toContain('Expected at the bank 980.00');
    expect(text).toContain('The bank has 930.00 Nov 25, 2026 , line 4');
    expect(text).toContain('Difference −50.00 the bank has 50.00 less than expected');
    expect(text).toContain(
      '1 reversal of these gifts is in no deposit: USD 50.00 taken back. This explains the whole difference.',
    );
    const entries = await on.service.database.query(
      `SELECT actor, via FROM audit_entry WHERE action = 'deposit.read' AND subject = $1 AND actor = 'auditor'`,
      [`deposit ${id}`],
    );
    expect(entries).toEqual([{ actor: 'auditor', via: 'page' }]);
  });

  it('withdraws what was entered for the bank with one press', async () => {
    const { id } = await on.deposit(['60']);
    expect(await on.page(`${DEPOSITS}/${id}`)).not.toContain('bank/withdraw');
    await on.enterBank(id, '99');
    expect(await on.page(`${DEPOSITS}/${id}`)).toContain('Remove the bank’s amount from this deposit');
    const path = `${DEPOSITS}/${id}/bank/withdraw`;
    const { text } = await on.finance.post(path, { Was: JSON.stringify(['2026-11-25', '98.00', null]) }).expect(409);
    expect(text).toContain(`USD 99.00 is entered for deposit ${id} by now.`);
    expect(await on.send(path, { Was: JSON.stringify(['2026-11-25', '99.00', null]) })).toEqual({
      to: `${DEPOSITS}/${id}`,
      message: 'The bank’s amount is removed from this deposit.',
    });
    expect(await on.statusOf(id)).toBe('Open');
  });

  it('adds what explains the difference with one press', async () => {
    const { id, ids } = await on.deposit(['60', '40'], { Source: 'refunding' });
    const reversalId = await on.calls.reverse(ids[0] ?? 0, '?amount=5.00&reason=refund');
    await on.enterBank(id, '95');
    const html = await on.page(`${DEPOSITS}/${id}`);
    expect(fieldOf(html, `item-${reversalId}`)).toBe('Reversal');
    expect(await on.send(`${DEPOSITS}/${id}/items`, { [`item-${reversalId}`]: 'Reversal' })).toEqual({
      to: `${DEPOSITS}/${id}`,
      message: '1 item is in the deposit.',
    });
    expect(await on.statusOf(id)).toBe('Matches');
    expect((await on.send(`${DEPOSITS}/${id}/items`, { [`item-${reversalId}`]: 'Reversal' })).message).toContain(
      'already',
    );
  });

  it('names the gifts that are as large as the difference, with links: one may have been refunded', async () => {
    const { id, ids } = await on.deposit(['25', '25', '70'], { Fee: '1.00', Source: 'refunding' });
    await on.enterBank(id, '92');
    const html = await on.page(`${DEPOSITS}/${id}`);
    expect(textOf(html)).toContain(
      '2 items of the deposit are each exactly as large. One of them may have been refunded or charged back. ' +
        'One of them would explain the whole difference: compare them with the processor’s report of this payout. ' +
        `Gift ${ids[0] ?? 0} Gift ${ids[1] ?? 0}`,
    );
    expect(html).not.toContain('Nothing in the books explains the difference.');
    // Without the fee, too: some processors give it back.
    await on.enterBank(id, '93');
    expect(await on.page(`${DEPOSITS}/${id}`)).toContain('2 items of the deposit are each exactly as large');
  });

  it('offers to add what was recorded at any time since a month before the payout', async () => {
    const fields = { DepositId: unique('early'), Source: 'late gifts', Date: '2026-01-10' };
    const { to } = await on.send(DEPOSITS, fields);
    const { id } = await on.calls.gift({ Source: 'late gifts' });
    const html = await on.page(`${to}/add`);
    expect(fieldOf(html, 'from')).toBe('2025-12-10');
    expect(html).toContain(`name="item-${id}"`);
  });

  it('is made by hand, and gets gifts from the list of what no deposit has, or by name', async () => {
    const fields = { DepositId: unique('transfer'), Source: 'txt2give', Date: '2026-11-26', Amount: '70' };
    expect((await on.finance.post(DEPOSITS, { ...fields, Date: 'soon' }).expect(400)).text).toContain('value="soon"');
    const { to } = await on.send(DEPOSITS, fields);
    const id = Number(to.split('/').at(-1));
    expect((await on.send(DEPOSITS, fields)).to).toBe(to);
    expect((await on.finance.post(DEPOSITS, { ...fields, Amount: '71' }).expect(422)).text).toContain('another Amount');
    const [one = 0, two = 0] = await on.calls.gifts('30', '40');
    const unknown = unique('T');
    const today = `from=2020-01-01&to=2100-01-01`;
    expect(await on.page(`${to}/add?${today}`)).toContain(`name="item-${one}"`);
    await on.send(`${to}/items`, { [`item-${one}`]: 'Payment', Gift: String(two), Transaction: unknown });
    expect(await on.calls.read(id)).toMatchObject({
      itemCount: 3,
      unknownCount: 1,
      expected: '70.00',
      status: 'Differs',
    });
    expect(textOf(await on.page(to))).toContain(`1 item is not in the books: TransactionId ${unknown}.`);
    expect((await on.send(`${to}/items`, {})).message).toBe('Nothing was ticked or named.');
    const { text } = await on.finance.post(`${to}/items`, { Gift: '999999', [`item-${two}`]: 'Payment' }).expect(422);
    expect(text).toContain('there is no gift 999999');
    expect(text).toContain('value="999999"');
    await on.finance.get(`${to}/add?from=x`).expect(400);
    // In another deposit.
    const other = await on.deposit(['1']);
    expect((await on.finance.post(`${DEPOSITS}/${other.id}/items`, { Gift: String(one) }).expect(409)).text).toContain(
      `Gift ${one} is in deposit ${id} already.`,
    );
  });

  it('loses items with a reason, and shows them as removed', async () => {
    const { id } = await on.deposit(['31', '32']);
    const [item] = (await on.calls.read(id)).items;
    const tick = { [`item-${item?.itemId ?? 0}`]: 'Payment' };
    const { text } = await on.finance.post(`${DEPOSITS}/${id}/items/remove`, tick).expect(400);
    expect(text).toContain('id="field-RemoveReason-fault"');
    expect(text).toMatch(new RegExp(`name="item-${item?.itemId ?? 0}"[^>]* checked`));
    const fields = { ...tick, RemoveReason: 'In the next payout' };
    expect((await on.send(`${DEPOSITS}/${id}/items/remove`, fields)).message).toBe('1 item is removed.');
    expect((await on.send(`${DEPOSITS}/${id}/items/remove`, fields)).message).toBe('1 item is removed.');
    expect(textOf(await on.page(`${DEPOSITS}/${id}`))).toContain('In the next payout');
    expect(await on.calls.read(id)).toMatchObject({ itemCount: 1, expected: '32.00' });
    expect((await on.send(`${DEPOSITS}/${id}/items/remove`, { RemoveReason: 'x' })).message).toBe(
      'No item was ticked.',
    );
  });

  it('is adjusted with a reason, once for each form', async () => {
    const { id } = await on.deposit(['33']);
    const path = `${DEPOSITS}/${id}`;
    const key = fieldOf(await on.page(path), 'Key');
    const { text } = await on.finance.post(`${path}/adjust`, { Key: key, AdjustAmount: '-0.01' }).expect(400);
    expect(text).toContain('id="field-AdjustReason-fault"');
    expect(fieldOf(text, 'Key')).toBe(key);
    expect(fieldOf(text, 'AdjustAmount')).toBe('-0.01');
    const fields = { Key: key, AdjustAmount: '-0.01', AdjustReason: 'Rounded by the processor' };
    for (let times = 0; times < 2; times++)
      expect((await on.send(`${path}/adjust`, fields)).message).toBe(`Deposit ${id} expects USD 32.99 now.`);
    expect(await on.calls.read(id)).toMatchObject({ adjusted: '-0.01', adjustments: [expect.anything()] });
    expect(textOf(await on.page(path))).toContain('Rounded by the processor −0.01');
  });

  it('gets what the bank says, unless somebody else was faster', async () => {
    const { id } = await on.deposit(['34']);
    const path = `${DEPOSITS}/${id}`;
    const was = fieldOf(await on.page(path), 'Was');
    const fields = { Was: was, BankDate: '2026-11-25', BankAmount: '33.99', BankReference: '' };
    expect((await on.send(`${path}/bank`, fields)).message).toBe('The bank’s amount is saved. It differs.');
    const { text } = await on.finance.post(`${path}/bank`, { ...fields, BankAmount: '34' }).expect(409);
    expect(text).toContain(`USD 33.99 is entered for deposit ${id} by now.`);
    expect(fieldOf(text, 'BankAmount')).toBe('34');
    expect(textOf(text)).toContain('The bank has 33.99');
    const again = { ...fields, BankAmount: '34', Was: fieldOf(text, 'Was') };
    expect((await on.send(`${path}/bank`, again)).message).toBe('The bank’s amount is saved. It matches.');
    const bad = await on.finance.post(`${path}/bank`, { ...again, BankAmount: 'x' }).expect(400);
    expect(bad.text).toContain('id="field-BankAmount-fault"');
  });

  it('shows what was typed if it was reconciled meanwhile', async () => {
    const { id } = await on.deposit(['35']);
    await on.enterBank(id, '35');
    await on.calls.post(`Deposits/${id}/reconcile`).expect(200);
    const sent: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      ['bank', { Was: NOTHING_ENTERED, BankDate: '2026-11-25', BankAmount: '36' }],
      ['adjust', { AdjustAmount: '36', AdjustReason: 'a reason' }],
      ['items', { Transaction: 'T-36' }],
    ];
    for (const [form, fields] of sent) {
      const { text } = await on.finance.post(`${DEPOSITS}/${id}/${form}`, fields).expect(409);
      expect(text).toContain(`Deposit ${id} is reconciled, and never changes.`);
      expect(text).toContain('36');
    }
  });

  it('pages on after 200 items', async () => {
    const ids: number[] = [];
    for (let gifts = 0; gifts < 201; gifts++) ids.push((await on.calls.gift()).id);
    const { id } = await on.calls.sent(ids);
    const first = await on.page(`${DEPOSITS}/${id}`);
    // The next page begins at its items.
    const [, next = ''] = /(\?after=\d+)#items"/.exec(first) ?? [];
    const second = await on.page(`${DEPOSITS}/${id}${next}`);
    expect([first, second].map((html) => html.match(/data-header="Fund"/g)?.length)).toEqual([200, 1]);
    expect(second).toContain('First page');
  });

  it('is not found, and its address has a number', async () => {
    for (const path of ['', '/reconcile', '/add', '/close-bundles'])
      expect((await on.finance.get(`${DEPOSITS}/999999${path}`).expect(404)).text).toContain(
        'There is no deposit 999999.',
      );
    await on.finance.get(`${DEPOSITS}/x`).expect(400);
  });
});

it('auditors see deposits without ticks and forms that change something, and change nothing', async () => {
  const { id } = await on.deposit(['36']);
  await on.payout(['1']);
  for (const path of [DEPOSITS, `${DEPOSITS}/${id}`])
    expect(await on.page(path, auditor)).not.toMatch(/method="post"|class="tick"|Reconcile…|Enter the bank/);
  for (const path of ['statement', 'reconcile', 'close-bundles', 'new', `${id}/reconcile`, `${id}/add`])
    await auditor.get(`${DEPOSITS}/${path}`).expect(403);
  for (const path of [
    'payouts',
    'statement',
    'reconcile',
    'close-bundles',
    `${id}/bank`,
    `${id}/adjust`,
    `${id}/items`,
  ])
    await auditor.post(`${DEPOSITS}/${path}`).expect(403);
});

it('the home page leads to the deposits that differ', async () => {
  const { id } = await on.deposit(['37']);
  await on.enterBank(id, '36');
  const { text } = await on.finance.get('/console').expect(200);
  expect(text).toMatch(/href="[^"]*\/console\/deposits\?status=Differs"/);
  expect(textOf(text)).toMatch(/\d+ deposits? that differ/);
  expect(await on.page(`${DEPOSITS}?status=Differs`)).toContain(`/console/deposits/${id}"`);
});
