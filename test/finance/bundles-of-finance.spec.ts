import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type supertest from 'supertest';
import { AuditTrail } from '../../src/audit/index.js';
import { type Login, ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { type Added, addedGift, readBack } from '../contract/gift-requests.js';
import { addPart, moveToFund, reinstate, reversePart, setPayment } from '../contract/payment-rows.js';

const FINANCE: Login = ['treasurer', 'counts every penny'];

let service: TestApp;
let processor: Login;
let processors = 0;
let building: number;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  await service.createUser(...FINANCE, ['Finance']);
  const [fund] = await service.database.query<{ id: number }>(
    "INSERT INTO fund (name) VALUES ('Building') RETURNING id",
  );
  building = fund?.id ?? 0;
});
// Each test has its own processor and so its own bundles.
beforeEach(async () => {
  processor = await service.createUser(`processor${++processors}`, 'one after the other', ROLES);
});
afterAll(() => service.stop());

const get = (path: string, login = FINANCE): supertest.Test => service.get(path, login);
const close = (id: number, login = FINANCE): supertest.Test =>
  service
    .http()
    .post(`/Api/Bundles/${id}/close`)
    .auth(...login);

interface Bundle {
  readonly bundleId: number;
  readonly user: string;
}

const add = async (fields: object): Promise<Added> => (await service.add(fields, processor).expect(200)).body as Added;
const bundleOf = async (id: number): Promise<number> => (await readBack(service, id, FINANCE)).bundleId;

describe('the view of bundles for Finance', () => {
  it('shows totals by fund and type, net of reversals, with pledges separate', async () => {
    const { ContributionId: first } = await add({ Amount: '10' });
    const { ContributionId: second } = await add({ Amount: '2.50', FundId: building });
    await add({ Amount: '100', ContributionTypeId: 8 });
    await add({ Amount: '0.50', ContributionTypeId: 9 });
    await service.reverse(`${first}/test`, processor).expect(200);
    const bundleId = await bundleOf(second);
    const { day } = await readBack(service, first, FINANCE);
    const gifts = { currency: 'USD', pledgeCount: 0, pledgeTotal: '0.00' };
    expect((await get(`Bundles/${bundleId}`).expect(200)).body).toEqual({
      bundleId,
      bundleTypeId: 4,
      bundleType: 'Online',
      user: processor[0],
      day,
      status: 'Open',
      createdAt: expect.stringMatching(/Z$/),
      closedAt: null,
      closedBy: null,
      totals: [{ currency: 'USD', count: 4, total: '3.00', pledgeCount: 1, pledgeTotal: '100.00' }],
      byFund: [
        { fundId: 1, fund: 'General', currency: 'USD', count: 3, total: '0.50', pledgeCount: 1, pledgeTotal: '100.00' },
        { fundId: building, fund: 'Building', ...gifts, count: 1, total: '2.50' },
      ],
      byType: [
        { contributionTypeId: 1, contributionType: 'Regular', currency: 'USD', count: 3, total: '2.50' },
        { contributionTypeId: 8, contributionType: 'Pledge', currency: 'USD', count: 1, total: '100.00' },
        { contributionTypeId: 9, contributionType: 'NonTaxDed', currency: 'USD', count: 1, total: '0.50' },
      ],
      byMethod: [{ ...gifts, method: null, count: 4, total: '3.00', pledgeCount: 1, pledgeTotal: '100.00' }],
    });
  });

  it('shows currencies separately, each with its own decimals', async () => {
    const { ContributionId } = await add({ Amount: '10' });
    const bundleId = await bundleOf(ContributionId);
    await service.database.query(
      `INSERT INTO contribution (person_id, amount, currency, given_at, day, fund_id, bundle_id, contribution_type_id,
         giver_first, giver_last, giver_email, giver_phone, created_by)
       SELECT person_id, 500, 'JPY', given_at, day, fund_id, bundle_id, contribution_type_id, giver_first, giver_last,
         giver_email, giver_phone, created_by FROM contribution WHERE id = $1`,
      [ContributionId],
    );
    expect((await get(`Bundles/${bundleId}`).expect(200)).body).toMatchObject({
      totals: [
        { currency: 'JPY', total: '500' },
        { currency: 'USD', total: '10.00' },
      ],
    });
  });

  it('lists bundles, newest first, with filters', async () => {
    const ids: number[] = [];
    for (const BundleTypeId of [1, 2, 20]) ids.push(await bundleOf((await add({ BundleTypeId })).ContributionId));
    await close(ids[1] ?? 0).expect(200);
    const { day } = (await get(`Bundles/${ids[0]}`)).body as { day: string };
    const list = async (query: string): Promise<number[]> => {
      const { bundles } = (await get(`Bundles?${query}`).expect(200)).body as { bundles: Bundle[] };
      return bundles.filter(({ user }) => user === processor[0]).map(({ bundleId }) => bundleId);
    };
    expect(await list('')).toEqual([...ids].reverse());
    expect(await list('status=closed')).toEqual([ids[1]]);
    expect(await list('status=Open')).toEqual([ids[2], ids[0]]);
    expect(await list(`before=${ids[2]}`)).toEqual([ids[1], ids[0]]);
    expect(await list(`from=${day}&to=${day}`)).toEqual([...ids].reverse());
    expect(await list('to=2020-01-01')).toEqual([]);
    expect(await list('from=2999-12-31')).toEqual([]);
  });

  it.each([
    ['status=shut', 'status'],
    ['status=', 'status'],
    ['from=2026-02-30', 'from'],
    ['from=0000-01-01', 'from'],
    ['to=1/2/2026', 'to'],
    ['before=0', 'before'],
    ['before=1e1', 'before'],
    ['status=open&STATUS=open', 'status'],
  ])('returns 400 for %s', async (query, field) => {
    expect((await get(`Bundles?${query}`).expect(400)).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field }],
    });
  });

  it('returns 404 for an unknown bundle and 400 for a malformed id', async () => {
    for (const path of ['Bundles/2000000001', 'Bundles/2000000001/export']) {
      expect((await get(path).expect(404)).body).toMatchObject({ code: 'bundle_not_found' });
    }
    expect((await close(2_000_000_001).expect(404)).body).toMatchObject({ code: 'bundle_not_found' });
    expect((await get('Bundles/1e1').expect(400)).body).toMatchObject({ code: 'invalid_request' });
  });
});

describe('closing a bundle', () => {
  it('stores count and totals in the audit trail once', async () => {
    const { ContributionId } = await add({ Amount: '10' });
    const { ContributionId: second } = await add({ Amount: '2.50' });
    await add({ Amount: '100', ContributionTypeId: 8 });
    await service.reverse(`${second}/test`, processor).expect(200);
    const bundleId = await bundleOf(ContributionId);
    await close(bundleId).expect(200);
    await close(bundleId).expect(200);
    const entries = await service.app.get(AuditTrail).list({ subject: `bundle ${bundleId}` });
    expect(entries.map(({ actor, action, details }) => ({ actor, action, details }))).toEqual([
      {
        actor: FINANCE[0],
        action: 'bundle.close',
        details: { count: 3, totals: ['USD 10.00'], pledgeCount: 1, pledgeTotals: ['USD 100.00'] },
      },
    ]);
    const other = await bundleOf((await add({ Amount: '1' })).ContributionId);
    await close(other).expect(200);
    const [entry] = await service.app.get(AuditTrail).list({ subject: `bundle ${other}` });
    expect(entry?.details).toEqual({ count: 1, totals: ['USD 1.00'] });
  });

  it('returns its totals, who closed it and when, and the next gift goes into another bundle', async () => {
    const { ContributionId } = await add({ Amount: '12' });
    const bundleId = await bundleOf(ContributionId);
    const body = (await close(bundleId).expect(200)).body as object;
    expect(body).toMatchObject({
      bundleId,
      status: 'Closed',
      closedBy: FINANCE[0],
      totals: [{ count: 1, total: '12.00' }],
    });
    expect(await bundleOf((await add({})).ContributionId)).not.toBe(bundleId);
    // Closing it again changes nothing.
    await service.createUser(`second${processors}`, 'came too late', ['Finance']);
    expect((await close(bundleId, [`second${processors}`, 'came too late']).expect(200)).body).toEqual(body);
  });

  it('is refused when count or total differ from those sent, and the bundle stays open', async () => {
    const { ContributionId } = await add({ Amount: '12.50' });
    const bundleId = await bundleOf(ContributionId);
    const closeAt = (query: string): supertest.Test =>
      service
        .http()
        .post(`/Api/Bundles/${bundleId}/close?${query}`)
        .auth(...FINANCE);
    for (const query of ['count=2', 'total=12.51', 'count=1&total=-12.50', 'count=0&total=12.5']) {
      expect((await closeAt(query).expect(409)).body).toMatchObject({
        code: 'bundle_changed',
        detail: expect.stringContaining('1 entry, USD 12.50'),
      });
    }
    for (const [query, field] of [
      ['count=-1', 'count'],
      ['total=1,000.00', 'total'],
      ['sum=1', 'sum'],
    ]) {
      expect((await closeAt(query ?? '').expect(400)).body).toMatchObject({ errors: [{ field }] });
    }
    expect((await get(`Bundles/${bundleId}`)).body).toMatchObject({ status: 'Open' });
    expect((await closeAt('count=1&TOTAL=12.5').expect(200)).body).toMatchObject({ status: 'Closed' });
    // A program that got no answer repeats the call.
    await closeAt('count=1&total=12.50').expect(200);
    await closeAt('count=2').expect(409);
  });

  it('does not prevent the reversal of its gifts', async () => {
    const { ContributionId } = await add({ Amount: '12' });
    const bundleId = await bundleOf(ContributionId);
    const before = (await close(bundleId).expect(200)).body as object;
    await service.reverse(`${ContributionId}/late`, processor).expect(200);
    expect((await get(`Bundles/${bundleId}`)).body).toEqual(before);
  });
});

describe('a bundle as CSV', () => {
  const csvOf = async (bundleId: number): Promise<string> => {
    const answer = await get(`Bundles/${bundleId}/export`).buffer(true).parse(asText).expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="bundle-${bundleId}.csv"`,
      'cache-control': 'no-store',
    });
    return answer.body as string;
  };

  it('opens correctly in a spreadsheet', async () => {
    const { ContributionId: id, PeopleId } = await add({
      First: 'Søren',
      Last: 'O’Dell, Jr.',
      Notes: 'For the "new" organ\nand its pipes',
      Date: '2026-07-26T12:00:00-05:00',
      Source: 'txt2give',
    });
    await service.reverse(`${id}/txt2give`, processor).expect(200);
    const { reversal } = await readBack(service, id, FINANCE);
    const lines = (await csvOf(await bundleOf(id))).split('\r\n');
    expect(lines.map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z(?=,\d+,,,,,$)/g, 'at'))).toEqual([
      '\uFEFFContributionId,Day,Date,PeopleId,First,Last,FundId,Fund,Type,Amount,Currency,Status,Source,TransactionId,Reverses,Notes,CreatedAt,PaymentId,Method,CheckNumber,Fee,PayoutId,Reason',
      `${id},2026-07-26,2026-07-26T17:00:00Z,${PeopleId},Søren,"O’Dell, Jr.",1,General,Regular,10.00,USD,Reversed,txt2give,,,"For the ""new"" organ\nand its pipes",at,${id},,,,,`,
      expect.stringMatching(
        new RegExp(
          `^${reversal.contributionId},[^,]+,[^,]+,${PeopleId},Søren,"O’Dell, Jr.",1,General,Regular,-10.00,USD,Reversal,txt2give,,${id},,at,${id},,,,,$`,
        ),
      ),
      '',
    ]);
  });

  it('has the facts of payments, each fee once, and names reversals, moves and reinstatements', async () => {
    const { ContributionId: first } = await add({ Amount: '300', First: 'Eve', Last: 'Ray' });
    const second = await addPart(service, first, '200', building);
    await setPayment(service, first, { fee: '12.5', method: 'check', checkNumber: '=17', payoutId: 'po_1' });
    const entry = await reversePart(service, second, '50', { reason: 'returned' });
    const [out, into] = await moveToFund(service, second, 1);
    const again = await reinstate(service, entry);
    const plain = (await add({ Amount: '10', First: 'Eve' })).ContributionId;
    const lines = (await csvOf(await bundleOf(first))).trimEnd().split('\r\n').slice(1);
    const shown = lines.map((line) => line.split(',')).map((cells) => [4, 6, 8, 9, 11].map((index) => cells[index]));
    expect(shown).toEqual([
      ['Eve', '1', 'Regular', '300.00', 'Recorded'],
      ['Eve', String(building), 'Regular', '200.00', 'Recorded'],
      ['Eve', String(building), 'Regular', '-50.00', 'Reversal'],
      ['Eve', String(building), 'Regular', '-150.00', 'Move'],
      ['Eve', '1', 'Regular', '150.00', 'Move'],
      ['Eve', String(building), 'Regular', '50.00', 'Reinstatement'],
      ['Eve', '1', 'Regular', '10.00', 'Recorded'],
    ]);
    const idOf = (line: string): number => Number(line.split(',', 1)[0]);
    expect(lines.map(idOf)).toEqual([first, second, entry, out, into, again, plain]);
    const facts = (fee = '', reason = ''): string => `${first},check,'=17,${fee},po_1,${reason}`;
    expect(lines.map((line) => line.split(',').slice(-6).join())).toEqual([
      ...[facts('12.50'), facts(), facts('', 'returned'), facts(), facts(), facts(), `${plain},,,,,`],
    ]);
    await reversePart(service, again, '50');
    expect(await csvOf(await bundleOf(first))).toMatch(new RegExp(`\n${again},[^\n]*,50.00,USD,Reversed,`));
  });

  it('and the totals of its bundle stay right for a split payment that is reversed, moved and reinstated', async () => {
    const { ContributionId: first } = await add({ Amount: '300' });
    const second = await addPart(service, first, '200', building);
    const entry = await reversePart(service, second, '50');
    await moveToFund(service, second, 1);
    const bundleId = await bundleOf(first);
    const money = { currency: 'USD', pledgeCount: 0, pledgeTotal: '0.00' };
    expect((await get(`Bundles/${bundleId}`).expect(200)).body).toMatchObject({
      totals: [{ ...money, count: 5, total: '450.00' }],
      byFund: [
        { ...money, fundId: 1, count: 2, total: '450.00' },
        { ...money, fundId: building, count: 3, total: '0.00' },
      ],
      byType: [{ contributionTypeId: 1, count: 5, total: '450.00' }],
    });
    await reinstate(service, entry);
    expect((await get(`Bundles/${bundleId}`).expect(200)).body).toMatchObject({
      totals: [{ ...money, count: 6, total: '500.00' }],
    });
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', '=HYPERLINK("https://thief.example")'])(
    'prevents spreadsheets from reading %s as a formula',
    async (Notes) => {
      const { ContributionId } = await add({ First: Notes, Last: Notes, Notes, Source: Notes });
      const [, line = ''] = (await csvOf(await bundleOf(ContributionId))).split('\r\n');
      const guarded = `'${Notes}`.replaceAll('"', '""');
      expect(line.split(guarded)).toHaveLength(5);
    },
  );
});

it('only Finance may read and close bundles', async () => {
  const { ContributionId } = await addedGift(service, {});
  const bundleId = await bundleOf(ContributionId);
  for (const path of ['Bundles', `Bundles/${bundleId}`, `Bundles/${bundleId}/export`])
    await get(path, processor).expect(403);
  await close(bundleId, processor).expect(403);
});

function asText(response: supertest.Response, done: (error: Error | null, text: string) => void): void {
  const stream = response as unknown as NodeJS.ReadableStream;
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => {
    done(null, Buffer.concat(chunks).toString('utf8'));
  });
}
