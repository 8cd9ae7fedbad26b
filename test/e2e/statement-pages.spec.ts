import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DepositForms, DEPOSITS, fieldOf, NOTHING_ENTERED, rowsOf, textOf } from './deposit-forms.js';

let on: DepositForms;

beforeAll(async () => {
  on = await DepositForms.open();
});
afterAll(() => on.service.stop());

it('pages that have nothing to show say how many payouts have no deposit yet, and so does the home page', async () => {
  const empty = 'No deposit waits for the bank statement.';
  expect(textOf(await on.page(`${DEPOSITS}/statement`))).toContain(empty);
  expect(await on.page(`${DEPOSITS}/statement`)).not.toContain('no deposit yet');
  expect(await on.page('/console')).not.toContain('without a deposit');
  const { payoutId } = await on.payout(['30', '10']);
  for (const path of [`${DEPOSITS}/statement`, `${DEPOSITS}/reconcile`]) {
    const html = await on.page(path);
    expect(textOf(html)).toContain('1 payout has no deposit yet, so it is not listed here. Make its deposit');
    expect(html).toMatch(/href="[./]*\/console\/deposits#payouts">Make its deposit/);
  }
  expect(textOf(await on.page('/console'))).toContain('1 payout without a deposit');
  const other = await on.payout(['30']);
  expect(textOf(await on.page(`${DEPOSITS}/statement`))).toContain('2 payouts have no deposit yet');
  expect(textOf(await on.page('/console'))).toContain('2 payouts without a deposit');
  for (const PayoutId of [payoutId, other.payoutId])
    await on.calls.post('Payouts/deposit', { Source: 'txt2give', PayoutId }).expect(200);
  expect(await on.page(`${DEPOSITS}/statement`)).not.toContain('no deposit yet');
  expect(textOf(await on.page('/console'))).not.toContain('without a deposit');
});

/** The fields of the rows of a page, as a browser sends them. */
function fieldsOf(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input, name = ''] of html.matchAll(/<input[^>]* name="((?:Was|Same|Amount|Date|Reference)-\d+)"[^>]*>/g))
    if (!input.includes('type="checkbox"') || input.includes(' checked')) fields[name] = fieldOf(html, name);
  return fields;
}

it('pasted lines of the statement fill in the rows, and nothing is stored before the rows are saved', async () => {
  const path = `${DEPOSITS}/statement`;
  const [one, other, twice, typed] = [
    await on.deposit(['1234.50']),
    await on.deposit(['20']),
    await on.deposit(['21']),
    await on.deposit(['22']),
  ];
  const before = fieldsOf(await on.page(path));
  const Lines = [
    `11/25/2026 TXT2GIVE ${one.payoutId.toUpperCase()} $1,234.50`,
    `2026-11-26\tTXT2GIVE ${other.payoutId}\t19.99`,
    `TXT2GIVE ${twice.payoutId} 20.00`,
    `TXT2GIVE ${twice.payoutId} 1.00`,
    'COFFEE 4.50',
    `TXT2GIVE ${typed.payoutId}`,
  ].join('\r\n');
  const kept = { [`Amount-${typed.id}`]: '22.01', [`Reference-${typed.id}`]: 'line 9', [`Same-${other.id}`]: '20.00' };
  const { text } = await on.finance.post(path, { ...before, ...kept, Lines, Fill: 'true' }).expect(200);
  expect(textOf(text)).toContain(
    `2 of 6 lines name a deposit. 1 amount is as expected. 1 differs: deposit ${other.id} by −0.01 . Nothing is saved yet`,
  );
  expect(text).toContain(`href="#field-Amount-${other.id}"`);
  // The rows say it, too: also that in which the amount was typed.
  expect(rowsOf(text)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(new RegExp(`^${one.id} .* 1,234\\.50 ✓ yes$`)),
      expect.stringMatching(new RegExp(`^${other.id} .* 20\\.00 no, −0\\.01$`)),
      expect.stringMatching(new RegExp(`^${twice.id} .* 21\\.00$`)),
      expect.stringMatching(new RegExp(`^${typed.id} .* 22\\.00 no, 0\\.01$`)),
    ]),
  );
  expect([...text.matchAll(/<tr class="marked">.*?Date-(\d+)/gs)].map(([, id]) => Number(id))).toEqual([
    other.id,
    typed.id,
  ]);
  expect(fieldsOf(text)).toMatchObject({
    [`Amount-${one.id}`]: '1,234.50',
    [`Date-${one.id}`]: '2026-11-25',
    [`Amount-${other.id}`]: '19.99',
    [`Date-${other.id}`]: '2026-11-26',
    [`Amount-${twice.id}`]: '',
    [`Amount-${typed.id}`]: '22.01',
    [`Date-${typed.id}`]: before[`Date-${typed.id}`],
    [`Reference-${typed.id}`]: 'line 9',
  });
  expect(fieldsOf(text)).not.toHaveProperty(`Same-${other.id}`);
  expect(rowsOf(text)).toEqual(
    expect.arrayContaining([
      `TXT2GIVE ${twice.payoutId} 20.00 Another line names deposit ${twice.id}, too.`,
      `TXT2GIVE ${twice.payoutId} 1.00 Another line names deposit ${twice.id}, too.`,
      'COFFEE 4.50 It names the payout id of no deposit that is listed here.',
      `TXT2GIVE ${typed.payoutId} It has no amount that can be read for deposit ${typed.id}.`,
    ]),
  );
  expect(text).toMatch(/<textarea[^>]*name="Lines"[^>]*><\/textarea>/);
  expect(await on.statusOf(one.id)).toBe('Open');
  const { message } = await on.send(path, fieldsOf(text));
  expect(message).toBe(
    `The bank’s amount is saved for 3 deposits. 1 matches, 2 differ: deposit ${other.id} by USD −0.01, deposit ${typed.id} by USD 0.01.`,
  );
  // The next page says so first, with links.
  const reconcile = await on.page(`${DEPOSITS}/reconcile`);
  expect(textOf(reconcile)).toMatch(
    new RegExp(`2 differ: deposit ${other.id} by −0\\.01 , deposit ${typed.id} by 0\\.01 .* They match`),
  );
  expect(reconcile).toMatch(new RegExp(`href="[./]*${DEPOSITS}/${other.id}">deposit ${other.id}<`));
  expect(reconcile).toContain('href="#differing"');
  // What is stored is shown with commas, and says nothing new when it is sent again.
  const stored = await on.page(path);
  expect(fieldOf(stored, `Amount-${one.id}`)).toBe('1,234.50');
  expect((await on.send(path, fieldsOf(stored))).message).toBe('Nothing new was entered.');
  expect(await Promise.all([one, other, twice].map(({ id }) => on.statusOf(id)))).toEqual([
    'Matches',
    'Differs',
    'Open',
  ]);
  expect(await on.calls.read(one.id)).toMatchObject({ bankDate: '2026-11-25', bankAmount: '1234.50' });
});

it('lines are filled in first if they were pasted and the rows are sent', async () => {
  const { id, payoutId } = await on.deposit(['7']);
  const { text } = await on.finance
    .post(`${DEPOSITS}/statement`, { [`Was-${id}`]: NOTHING_ENTERED, Lines: `${payoutId} 7.00` })
    .expect(200);
  expect(textOf(text)).toContain('1 of 1 line names a deposit. 1 amount is as expected.');
  expect(fieldOf(text, `Amount-${id}`)).toBe('7.00');
  expect(await on.statusOf(id)).toBe('Open');
});

it('lines say if their deposit is already reconciled', async () => {
  const { id, payoutId } = await on.deposit(['8']);
  await on.enterBank(id, '8.00');
  const { expected, itemCount } = await on.calls.read(id);
  await on.calls.post(`Deposits/${id}/reconcile`, { Expected: expected, ItemCount: itemCount }).expect(200);
  const Lines = `TXT2GIVE "${payoutId.toUpperCase()}",8.00`;
  const { text } = await on.finance.post(`${DEPOSITS}/statement`, { Lines, Fill: 'true' }).expect(200);
  expect(textOf(text)).toContain(`8.00 Deposit ${id} is already reconciled.`);
});

it('no lines, and too many, are refused with what was typed', async () => {
  const { id } = await on.deposit(['7']);
  const fields = { [`Was-${id}`]: NOTHING_ENTERED, [`Amount-${id}`]: '7', Fill: 'true' };
  for (const [Lines, fault] of [
    ['', 'Paste lines of the statement must not be empty.'],
    ['x'.repeat(15_001), 'Paste lines of the statement must have at most 15000 characters.'],
  ] as const) {
    const { text } = await on.finance.post(`${DEPOSITS}/statement`, { ...fields, Lines }).expect(400);
    expect(textOf(text)).toContain(fault);
    expect(fieldOf(text, `Amount-${id}`)).toBe('7');
  }
  expect(await on.statusOf(id)).toBe('Open');
});

/** The buttons of the page of deposits, in their order; the main one has a star. */
async function stepsOf(church: DepositForms): Promise<string> {
  const buttons = (await church.page(DEPOSITS)).matchAll(/<a [^>]*class="button( primary)?"[^>]*>([^<]+)/g);
  return [...buttons].map(([, main, label = '']) => label + (main === undefined ? '' : '*')).join(', ');
}

it('thirty payouts of a month are entered by one paste, reconciled, and their bundles closed', async () => {
  const month = await DepositForms.open();
  try {
    const others = 'Close bundles…, Add a deposit';
    // Without deposits there is nothing to compare or to reconcile.
    expect(await stepsOf(month)).toBe(others);
    const payouts = [];
    for (let count = 1; count <= 30; count++) payouts.push(await month.deposit([`${count}.25`]));
    expect(await stepsOf(month)).toBe(`Enter the bank statement*, Reconcile…, ${others}`);
    const path = `${DEPOSITS}/statement`;
    const Lines = payouts.map(({ payoutId }, index) => `11/${index + 1}/2026 ${payoutId} ${index + 1}.25`).join('\n');
    const { text } = await month.finance.post(path, { ...fieldsOf(await month.page(path)), Lines }).expect(200);
    expect(textOf(text)).toContain('30 of 30 lines name a deposit. 30 amounts are as expected.');
    const saved = await month.send(path, fieldsOf(text));
    expect(saved.message).toBe('The bank’s amount is saved for 30 deposits. 30 match.');
    expect(await stepsOf(month)).toBe(`Enter the bank statement, Reconcile…*, ${others}`);
    const reconcile = await month.page(saved.to);
    const ticks = Object.fromEntries(payouts.map(({ id }) => [`deposit-${id}`, fieldOf(reconcile, `deposit-${id}`)]));
    const reconciled = await month.send(saved.to, ticks);
    expect(reconciled.message).toBe('30 deposits are reconciled.');
    const [, box = ''] = /name="(bundle-\d+)"/.exec(await month.page(reconciled.to)) ?? [];
    const holds = fieldOf(await month.page(reconciled.to), box);
    expect((await month.send(reconciled.to, { [box]: holds })).message).toMatch(/^1 bundle is closed: \d+\.$/);
    // Of new payouts, deposits are made before anything else.
    await month.deposit(['31.25']);
    await month.payout(['32.25']);
    expect(await stepsOf(month)).toBe(`Enter the bank statement, Reconcile…, ${others}`);
  } finally {
    await month.service.stop();
  }
});
