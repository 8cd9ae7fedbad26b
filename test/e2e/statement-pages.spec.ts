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
    expect(html).toMatch(/href="[./]*\/console\/deposits">Make its deposit/);
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
  expect(textOf(text)).toContain('2 of 6 lines were matched. Nothing is saved yet');
  expect(fieldsOf(text)).toMatchObject({
    [`Amount-${one.id}`]: '1234.50',
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
  expect(message).toBe('What the bank says is saved for 3 deposits.');
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
  expect(textOf(text)).toContain('1 of 1 line was matched.');
  expect(fieldOf(text, `Amount-${id}`)).toBe('7.00');
  expect(await on.statusOf(id)).toBe('Open');
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

it('thirty payouts of a month are entered by one paste, reconciled, and their bundles closed', async () => {
  const month = await DepositForms.open();
  try {
    const payouts = [];
    for (let count = 1; count <= 30; count++) payouts.push(await month.deposit([`${count}.25`]));
    const path = `${DEPOSITS}/statement`;
    const Lines = payouts.map(({ payoutId }, index) => `11/${index + 1}/2026 ${payoutId} ${index + 1}.25`).join('\n');
    const { text } = await month.finance.post(path, { ...fieldsOf(await month.page(path)), Lines }).expect(200);
    expect(textOf(text)).toContain('30 of 30 lines were matched.');
    const saved = await month.send(path, fieldsOf(text));
    expect(saved.message).toBe('What the bank says is saved for 30 deposits.');
    const reconcile = await month.page(saved.to);
    const ticks = Object.fromEntries(payouts.map(({ id }) => [`deposit-${id}`, fieldOf(reconcile, `deposit-${id}`)]));
    const reconciled = await month.send(saved.to, ticks);
    expect(reconciled.message).toBe('30 deposits are reconciled.');
    const [, box = ''] = /name="(bundle-\d+)"/.exec(await month.page(reconciled.to)) ?? [];
    const holds = fieldOf(await month.page(reconciled.to), box);
    expect((await month.send(reconciled.to, { [box]: holds })).message).toMatch(/^1 bundle is closed/);
  } finally {
    await month.service.stop();
  }
});
