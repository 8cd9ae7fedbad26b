import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { giver } from '../contract/givers.js';
import { unique } from './deposit-calls.js';
import { DepositForms, DEPOSITS, fieldOf, NOTHING_ENTERED, rowsOf, textOf } from './deposit-forms.js';

const PASSWORD = 'correct horse battery';

let on: DepositForms;

beforeAll(async () => {
  on = await DepositForms.open();
});
afterAll(() => on.service.stop());

describe('the list of deposits', () => {
  it('says what would be there', async () => {
    const html = await on.page(DEPOSITS);
    expect(html).toContain('There is no deposit yet.');
    expect(html).not.toContain('without a deposit');
    // Nothing can be filtered yet.
    expect(html).not.toContain('role="search"');
  });

  it('makes the deposits of all ticked payouts, and leads to the bank statement', async () => {
    const one = await on.payout(['500', '300'], { Fee: '10.00' });
    const other = await on.payout(['20']);
    const html = await on.page(DEPOSITS);
    expect(html).toContain('2 payouts without a deposit');
    expect(textOf(html)).toContain('800.00 20.00 780.00');
    expect(html.match(/class="tick"[^>]* checked/g)).toHaveLength(2);
    const ticks = { 'payout-1': other.tick, 'payout-2': one.tick };
    expect(await on.send(`${DEPOSITS}/payouts`, ticks)).toEqual({
      to: `${DEPOSITS}/statement`,
      message: '2 deposits are made.',
    });
    const rows = rowsOf(await on.page(DEPOSITS));
    expect(rows).toEqual([
      'Deposit Day Source Payout Items Expected At the bank Difference Status',
      expect.stringMatching(/^\d+ \w{3} \d+, \d{4} txt2give \S+ \d 7?\d0\.00 Open$/),
      expect.stringMatching(/^\d+ \w{3} \d+, \d{4} txt2give \S+ \d 7?\d0\.00 Open$/),
    ]);
    // Sent again, it changes nothing.
    expect((await on.send(`${DEPOSITS}/payouts`, { 'payout-1': one.tick })).message).toBe('1 deposit is made.');
    expect(rowsOf(await on.page(DEPOSITS))).toEqual(rows);
  });

  it('says for each payout why no deposit was made', async () => {
    const { tick } = await on.payout(['5']);
    const ticks = { 'payout-1': tick, 'payout-2': JSON.stringify(['txt2give', 'none', 'USD']) };
    const { text } = await on.finance.post(`${DEPOSITS}/payouts`, ticks).expect(409);
    expect(rowsOf(text)).toEqual([
      'Payout Source Result',
      'none txt2give No gift in USD of the source txt2give has the PayoutId none.',
      expect.stringMatching(/^po-\d+ txt2give Made$/),
    ]);
    for (const nothing of ['', '[', '{}', '[1,2]', '"x"'])
      expect((await on.send(`${DEPOSITS}/payouts`, { 'payout-1': nothing })).message).toBe('No payout was ticked.');
  });

  it('does not tick gifts that came after their deposit was reconciled', async () => {
    const { id } = await on.deposit(['40']);
    await on.calls.post(`Deposits/${id}/bank`, { Date: '2026-11-20', Amount: '40' }).expect(200);
    await on.calls.post(`Deposits/${id}/reconcile`).expect(200);
    const { depositId } = (await on.service.get(`Deposits/${id}`, on.calls.finance)).body as { depositId: string };
    await on.calls.gift({ Amount: '3', PayoutId: depositId });
    const html = await on.page(DEPOSITS);
    expect(textOf(html)).toContain(`${depositId} came after deposit ${id} was reconciled`);
    expect(html).toMatch(new RegExp(`<input(?![^>]* checked)[^>]*aria-label="Payout ${depositId} of txt2give, USD"`));
    const { text } = await on.finance.post(`${DEPOSITS}/payouts`, {
      'payout-1': JSON.stringify(['txt2give', depositId, 'USD']),
    });
    expect(text).toContain(`Deposit ${id} is reconciled, and never changes.`);
  });

  it('filters, and shows what was typed if it is not valid', async () => {
    expect(await on.page(`${DEPOSITS}?status=Reconciled&source=nobody`)).toContain('No deposit is like that.');
    const { text } = await on.finance.get(`${DEPOSITS}?from=yesterday`).expect(400);
    expect(text).toContain('value="yesterday"');
    expect(text).toContain('id="field-from-fault"');
  });
});

describe('the bank statement', () => {
  it('has a row for each deposit that is not reconciled, in which only the day is filled in', async () => {
    const { id } = await on.deposit(['12.34']);
    const html = await on.page(`${DEPOSITS}/statement`);
    expect(fieldOf(html, `Amount-${id}`)).toBe('');
    expect(fieldOf(html, `Date-${id}`)).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(html).toMatch(new RegExp(`name="Same-${id}" value="12.34"`));
    expect(html).not.toMatch(new RegExp(`name="Same-${id}"[^>]* checked`));
    expect(fieldOf(html, `Was-${id}`)).toBe(NOTHING_ENTERED);
  });

  it('saves several rows at once: as expected, another amount, and those that say nothing stay', async () => {
    const [same, other, none] = [await on.deposit(['10']), await on.deposit(['20']), await on.deposit(['30'])];
    const rows = Object.fromEntries(
      [same, other, none].flatMap(({ id }) => [
        [`Was-${id}`, NOTHING_ENTERED],
        [`Date-${id}`, '2026-11-25'],
        [`Amount-${id}`, id === other.id ? '19.99' : ''],
        [`Reference-${id}`, id === other.id ? 'line 4' : ''],
      ]),
    );
    const answer = await on.send(`${DEPOSITS}/statement`, { ...rows, [`Same-${same.id}`]: '10.00' });
    expect(answer).toEqual({
      to: `${DEPOSITS}/reconcile`,
      message: `The bank’s amount is saved for 2 deposits. 1 matches, 1 differs: deposit ${other.id} by USD −0.01.`,
    });
    expect(await Promise.all([same, other, none].map(({ id }) => on.statusOf(id)))).toEqual([
      'Matches',
      'Differs',
      'Open',
    ]);
    expect(await on.calls.read(other.id)).toMatchObject({
      bankDate: '2026-11-25',
      bankReference: 'line 4',
      difference: '-0.01',
    });
    // Sent again, by somebody who saw nothing entered, it changes nothing and is accepted.
    expect((await on.send(`${DEPOSITS}/statement`, { ...rows, [`Same-${same.id}`]: '10.00' })).message).toContain(
      '2 deposits',
    );
    const html = await on.page(`${DEPOSITS}/statement`);
    expect(fieldOf(html, `Amount-${other.id}`)).toBe('19.99');
    expect(html).not.toContain(`name="Same-${other.id}"`);
    // Unchanged, the form says nothing.
    const unchanged = {
      [`Was-${other.id}`]: fieldOf(html, `Was-${other.id}`),
      [`Amount-${other.id}`]: '19.99',
      [`Date-${other.id}`]: '2026-11-25',
      [`Reference-${other.id}`]: 'line 4',
    };
    expect((await on.send(`${DEPOSITS}/statement`, unchanged)).message).toBe('Nothing new was entered.');
  });

  it('accepts an amount as a statement has it, with commas', async () => {
    const { id } = await on.deposit(['1234.50']);
    const row = { [`Was-${id}`]: NOTHING_ENTERED, [`Amount-${id}`]: '1,234.50', [`Date-${id}`]: '2026-11-25' };
    expect((await on.send(`${DEPOSITS}/statement`, row)).message).toContain('1 deposit.');
    expect(await on.statusOf(id)).toBe('Matches');
  });

  it('stores nothing if a row is not valid, and keeps what was typed', async () => {
    const [good, bad, both] = [await on.deposit(['11']), await on.deposit(['12']), await on.deposit(['13'])];
    const { text } = await on.finance
      .post(`${DEPOSITS}/statement`, {
        [`Was-${good.id}`]: NOTHING_ENTERED,
        [`Same-${good.id}`]: '11.00',
        [`Date-${good.id}`]: '2026-11-25',
        [`Was-${bad.id}`]: NOTHING_ENTERED,
        [`Amount-${bad.id}`]: 'a lot',
        [`Date-${bad.id}`]: '2026-11-25',
        [`Was-${both.id}`]: NOTHING_ENTERED,
        [`Amount-${both.id}`]: '13.01',
        [`Same-${both.id}`]: '13.00',
        [`Date-${both.id}`]: '2026-11-25',
      })
      .expect(400);
    expect(text).toContain('value="a lot"');
    // A minus and commas are accepted, so nothing is said against them.
    expect(textOf(text)).toContain(
      `Bank’s amount of deposit ${bad.id} must be digits with at most two decimals, such as 10 or 10.50, without a currency sign.`,
    );
    expect(text).toContain(`id="field-Amount-${bad.id}-fault"`);
    expect(text).toContain(`Bank’s amount of deposit ${both.id} must be empty if “as expected” is ticked.`);
    expect(text).toMatch(new RegExp(`name="Same-${good.id}"[^>]* checked`));
    expect(await on.statusOf(good.id)).toBe('Open');
  });

  it('does not replace what somebody else has entered, shows it, and keeps what was typed', async () => {
    const [mine, theirs, gone] = [await on.deposit(['14']), await on.deposit(['15']), await on.deposit(['16'])];
    await on.calls.post(`Deposits/${theirs.id}/bank`, { Date: '2026-11-24', Amount: '14.50' }).expect(200);
    await on.calls.post(`Deposits/${gone.id}/bank`, { Date: '2026-11-24', Amount: '16' }).expect(200);
    await on.calls.post(`Deposits/${gone.id}/reconcile`).expect(200);
    const rows = Object.fromEntries(
      [mine, theirs, gone].flatMap(({ id }) => [
        [`Was-${id}`, NOTHING_ENTERED],
        [`Date-${id}`, '2026-11-25'],
        [`Amount-${id}`, '14'],
      ]),
    );
    const { text } = await on.finance.post(`${DEPOSITS}/statement`, rows).expect(409);
    expect(text).toContain(`USD 14.50 is entered for deposit ${theirs.id} by now.`);
    expect(text).toContain(`Deposit ${gone.id} is reconciled, and never changes.`);
    expect(fieldOf(text, `Amount-${theirs.id}`)).toBe('14');
    expect(JSON.parse(fieldOf(text, `Was-${theirs.id}`))).toEqual(['2026-11-24', '14.50', null]);
    expect(await on.statusOf(mine.id)).toBe('Matches');
    expect(await on.calls.read(theirs.id)).toMatchObject({ bankAmount: '14.50' });
    // Sent again from that page, it is what was seen, and is replaced.
    const again = {
      [`Was-${theirs.id}`]: fieldOf(text, `Was-${theirs.id}`),
      [`Amount-${theirs.id}`]: '15',
      [`Date-${theirs.id}`]: '2026-11-24',
    };
    expect((await on.send(`${DEPOSITS}/statement`, again)).message).toContain('1 deposit.');
    expect(await on.statusOf(theirs.id)).toBe('Matches');
  });
});

describe('reconciling', () => {
  it('reconciles the ticked deposits that match, and lists those that differ', async () => {
    const [one, other, differing] = [await on.deposit(['17']), await on.deposit(['18']), await on.deposit(['19'])];
    for (const [{ id }, Amount] of [
      [one, '17'],
      [other, '18'],
      [differing, '18.99'],
    ] as const)
      await on.enterBank(id, Amount);
    const html = await on.page(`${DEPOSITS}/reconcile`);
    expect(fieldOf(html, `deposit-${one.id}`)).toBe('1 17.00');
    expect(html).toMatch(new RegExp(`name="deposit-${one.id}"[^>]* checked`));
    expect(html).not.toContain(`name="deposit-${differing.id}"`);
    expect(textOf(html)).toMatch(/They do not match yet .* 19\.00 18\.99 −0\.01/);
    const ticks = { [`deposit-${one.id}`]: '1 17.00', [`deposit-${other.id}`]: '1 18.00' };
    const { to, message } = await on.send(`${DEPOSITS}/reconcile`, ticks);
    expect(to).toBe(`${DEPOSITS}/close-bundles`);
    expect(message).toMatch(/^2 deposits are reconciled\. Not finished yet: deposits \d+, .* more\.$/);
    expect(await Promise.all([one, other].map(({ id }) => on.statusOf(id)))).toEqual(['Reconciled', 'Reconciled']);
    // A second press has no effect.
    expect((await on.send(`${DEPOSITS}/reconcile`, ticks)).message).toBe(message);
    const entries = await on.service.database.query(
      `SELECT via FROM audit_entry WHERE action = 'deposit.reconcile' AND subject = $1`,
      [`deposit ${one.id}`],
    );
    expect(entries).toEqual([{ via: 'page' }]);
  });

  it('does not tick those that are only what the processor says', async () => {
    const { id } = await on.calls.sent(await on.calls.gifts('7'), { Amount: '7' });
    const html = await on.page(`${DEPOSITS}/reconcile`);
    expect(html).toMatch(new RegExp(`name="deposit-${id}"`));
    expect(html).not.toMatch(new RegExp(`name="deposit-${id}"[^>]* checked`));
    expect(html).toContain('says the processor');
  });

  it('leaves out those that changed meanwhile, with the reason, while the others are reconciled', async () => {
    const [same, changed] = [await on.deposit(['21']), await on.deposit(['22'])];
    for (const [{ id }, Amount] of [
      [same, '21'],
      [changed, '22'],
    ] as const)
      await on.enterBank(id, Amount);
    const sent = { [`deposit-${same.id}`]: '1 21.00', [`deposit-${changed.id}`]: '2 99.00' };
    const { text } = await on.finance.post(`${DEPOSITS}/reconcile`, sent).expect(409);
    expect(rowsOf(text)).toEqual([
      'Tick Deposit You saw Result',
      `${same.id} 1 items, 21.00 Reconciled`,
      expect.stringContaining(`Deposit ${changed.id} has 1 items and expects USD 22.00 now.`),
    ]);
    expect(fieldOf(text, `deposit-${changed.id}`)).toBe('1 22.00');
    expect([await on.statusOf(same.id), await on.statusOf(changed.id)]).toEqual(['Reconciled', 'Matches']);
    for (const nothing of ['', 'x', '1', '1 x'])
      expect((await on.send(`${DEPOSITS}/reconcile`, { [`deposit-${changed.id}`]: nothing })).message).toBe(
        'No deposit was ticked.',
      );
  });

  it('asks for one deposit with its figures, and refuses if it changed since', async () => {
    const { id } = await on.deposit(['23'], { Fee: '0.50' });
    const path = `${DEPOSITS}/${id}/reconcile`;
    expect((await on.finance.get(path).expect(303)).headers['location']).toContain('does+not+match');
    await on.enterBank(id, '22.50');
    const html = await on.page(path);
    expect(textOf(html)).toContain(
      'Gross 23.00 Fees 0.50 Taken back 0.00 Adjusted 0.00 Expected 22.50 At the bank 22.50',
    );
    const { text } = await on.finance.post(path, { seen: '2 22.50' }).expect(409);
    expect(text).toContain(`Deposit ${id} has 1 items and expects USD 22.50 now.`);
    expect(text).toContain('name="seen" value="1 22.50"');
    // Without what was seen, it asks again.
    expect((await on.finance.post(path, {}).expect(200)).text).toContain('permanently<kbd');
    expect(await on.statusOf(id)).toBe('Matches');
    expect(await on.send(path, { seen: fieldOf(html, 'seen') })).toEqual({
      to: `${DEPOSITS}/${id}`,
      message: `Deposit ${id} is reconciled with USD 22.50.`,
    });
    expect((await on.send(path, { seen: fieldOf(html, 'seen') })).message).toContain('is reconciled');
    const reconciled = await on.page(`${DEPOSITS}/${id}`);
    expect(textOf(reconciled)).toContain('Status Reconciled ✓');
    expect(reconciled).not.toContain('method="post"');
    expect((await on.finance.get(path).expect(303)).headers['location']).toContain('is+reconciled+already');
  });
});

describe('closing the bundles', () => {
  /** A processor of its own, whose gifts of today are two payouts of one bundle. The gifts are alike. */
  async function twoPayouts(): Promise<{ first: number; second: number; bundleId: number }> {
    const login = await on.service.createUser(unique('processor'), PASSWORD, ['Developer', 'APIOnly', 'APIWrite']);
    const [source, person] = [unique('source'), giver()];
    const made: number[] = [];
    let bundleId = 0;
    for (const PayoutId of [unique('po'), unique('po')]) {
      const fields = { ...person, Amount: '25', Source: source, TransactionId: unique('T'), PayoutId };
      const answer = await on.service.add(fields, login).expect(200);
      const { ContributionId } = answer.body as { ContributionId: number };
      const [row] = await on.service.database.query<{ id: number }>(
        'SELECT bundle_id AS id FROM contribution WHERE id = $1',
        [ContributionId],
      );
      bundleId = row?.id ?? 0;
      const deposit = await on.calls.post('Payouts/deposit', { Source: source, PayoutId }).expect(200);
      const { id } = deposit.body as { id: number };
      await on.enterBank(id, '25');
      made.push(id);
    }
    return { first: made[0] ?? 0, second: made[1] ?? 0, bundleId };
  }

  const bundleStatus = async (bundleId: number): Promise<string> =>
    ((await on.service.get(`Bundles/${bundleId}`, on.calls.finance)).body as { status: string }).status;

  it('closes those of which everything is in reconciled deposits', async () => {
    const { first, second, bundleId } = await twoPayouts();
    await on.calls.post(`Deposits/${first}/reconcile`).expect(200);
    const path = `${DEPOSITS}/${first}/close-bundles`;
    const before = await on.page(path);
    expect(before).toContain('No bundle of this deposit can be closed now.');
    expect(textOf(before)).toMatch(
      new RegExp(`They stay open .* 2 entries, USD 50\\.00 1 entry 1 in deposit ${second} Back`),
    );
    // Where bundles are closed without deposits, it is said, too.
    const unsettled = new RegExp(`1 entry is in a deposit that is not reconciled yet: deposit ${second} \\.`);
    for (const shown of [`/console/bundles/${bundleId}`, `/console/bundles/${bundleId}/close`])
      expect(textOf(await on.page(shown))).toMatch(unsettled);
    const asked = await on.finance.post('/console/bundles/close', { [`bundle-${bundleId}`]: '2 entries, USD 50.00' });
    expect(textOf(asked.text)).toMatch(unsettled);
    // Somebody who sends the box all the same.
    const holds = '2 entries, USD 50.00';
    const { text } = await on.finance.post(`${DEPOSITS}/close-bundles`, { [`bundle-${bundleId}`]: holds }).expect(409);
    expect(text).toContain(`Bundle ${bundleId} has 1 entry that is in no reconciled deposit.`);
    await on.calls.post(`Deposits/${second}/reconcile`).expect(200);
    for (const shown of [path, `${DEPOSITS}/close-bundles`])
      expect(await on.page(shown)).toContain(`name="bundle-${bundleId}" value="${holds}"`);
    expect(await on.page(`/console/bundles/${bundleId}/close`)).not.toContain('not reconciled yet');
    // The second gift is like the first one.
    expect(textOf(await on.page(path))).toContain('1 gift in this bundle has an open review');
    const changed = { [`bundle-${bundleId}`]: '1 entry, USD 25.00', of: String(first) };
    const refused = await on.finance.post(`${DEPOSITS}/close-bundles`, changed).expect(409);
    expect(refused.text).toContain(`Bundle ${bundleId} holds something else than you expect: ${holds}.`);
    expect(fieldOf(refused.text, `bundle-${bundleId}`)).toBe(holds);
    expect(await bundleStatus(bundleId)).toBe('Open');
    expect(await on.send(`${DEPOSITS}/close-bundles`, { [`bundle-${bundleId}`]: holds, of: String(first) })).toEqual({
      to: `${DEPOSITS}/${first}`,
      message: `1 bundle is closed: ${bundleId}.`,
    });
    expect(await bundleStatus(bundleId)).toBe('Closed');
    // Twice is harmless.
    expect((await on.send(`${DEPOSITS}/close-bundles`, { [`bundle-${bundleId}`]: holds })).message).toContain(
      'is closed',
    );
    expect((await on.send(`${DEPOSITS}/close-bundles`, {})).message).toBe('No bundle was ticked.');
  });

  it('and reconciling say how many gifts have open reviews', async () => {
    const { first, second, bundleId } = await twoPayouts();
    const said = (what: string): string =>
      `1 gift in ${what} has an open review : it may have been sent twice, for example.`;
    expect(textOf(await on.page(`${DEPOSITS}/${second}/reconcile`))).toContain(said('this deposit'));
    expect(textOf(await on.page(`${DEPOSITS}/${first}/reconcile`))).not.toContain('open review');
    expect(textOf(await on.page(`${DEPOSITS}/reconcile`))).toMatch(/\d+ gifts? in these deposits ha\w+ an open review/);
    const path = `/console/bundles/${bundleId}`;
    expect(textOf(await on.page(`${path}/close`))).toContain(said('this bundle'));
    expect(textOf(await on.page(path))).toContain(said('this bundle'));
    const [review] = await on.service.database.query<{ id: number }>(
      'SELECT r.id FROM review r JOIN contribution c ON c.id = r.contribution_id WHERE c.bundle_id = $1',
      [bundleId],
    );
    await on.calls.post(`Reviews/${review?.id ?? 0}/accept`).expect(200);
    for (const shown of [`${DEPOSITS}/${second}/reconcile`, `${path}/close`, path])
      expect(await on.page(shown)).not.toContain('open review');
  });

  it('is refused for a deposit that is not reconciled', async () => {
    const { first } = await twoPayouts();
    const { text } = await on.finance.get(`${DEPOSITS}/${first}/close-bundles`).expect(409);
    expect(text).toContain(`Deposit ${first} is not reconciled.`);
  });
});
