import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Outcome, runProgram } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let files: GiftFiles;

beforeAll(async () => {
  service = await startTestApp();
  files = giftFiles();
});
afterAll(async () => {
  await assertLedgerInvariants(service.database);
  files.remove();
  await service.stop();
});

const HEADER = 'First,Last,Email,Phone,Address,Zip,Amount,Date,TransactionId,PeopleId';

async function importRows(
  source: string,
  rows: readonly string[],
  ...options: string[]
): Promise<{ outcome: Outcome; rows: Record<string, string>[] }> {
  const path = files.write(`${source}.csv`, `${[HEADER, ...rows].join('\n')}\n`);
  const mapping = files.write(`${source}.json`, JSON.stringify({ PeopleId: 'PeopleId' }));
  const args = ['import', path, '--user', 'api', '--source', source, '--mapping', mapping, ...options];
  const outcome = await runProgram('cli', args, { DATABASE_URL: service.database.url });
  const suffix = options.includes('--dry-run') ? 'dry-run' : 'result';
  return { outcome, rows: outcome.stdout === '' ? [] : files.read(`${path}.${suffix}.csv`) };
}

const row = (
  id: string,
  first: string,
  address: string,
  fields: { contacts?: string; peopleId?: number; amount?: string } = {},
): string =>
  `${first},Contactless,${fields.contacts ?? ','},${address},${fields.amount ?? '10'},2026-07-26,${id},${fields.peopleId ?? ''}`;

describe('an import --without-contacts', () => {
  it('is needed for rows without e-mail and phone', async () => {
    const { rows } = await importRows('strict', [row('S1', 'Sam', '1 Main Street,38103')]);
    expect(rows).toMatchObject([
      { Status: 'refused', Error: expect.stringMatching(/Email is required.*Phone is required/) },
    ]);
  });

  it('creates a person, finds it again by name and address, and lists both gifts for review', async () => {
    const file = [
      row('C1', 'Ann', '"1 Main Street, Apt. 2",38103'),
      row('C2', 'ANN', '1 MAIN ST APT 2,38103-1234'),
      row('C3', 'Ann', '2 Main Street,38103'),
      row('C4', 'Ann', ','),
    ];
    const dry = await importRows('contactless', file, '--without-contacts', '--dry-run');
    expect(dry.rows.map(({ NewPerson, Review }) => [NewPerson, Review])).toEqual([
      ['true', 'without_contacts'],
      ['false', 'without_contacts possible_duplicate'],
      ['true', 'known_name without_contacts'],
      ['true', 'known_name without_contacts'],
    ]);
    const { rows, outcome } = await importRows('contactless', file, '--without-contacts');
    expect(outcome.code).toBe(0);
    expect(rows.map(({ NewPerson }) => NewPerson)).toEqual(['true', 'false', 'true', 'true']);
    expect(rows[1]?.['PeopleId']).toBe(rows[0]?.['PeopleId']);
    expect(rows.map(({ Review }) => Review)).toEqual(dry.rows.map(({ Review }) => Review));
    const gift = await service.database.query(
      `SELECT matched_on, giver_email, giver_phone FROM contribution WHERE source = 'contactless' AND transaction_id = 'C2'`,
    );
    expect(gift).toEqual([{ matched_on: ['lastName', 'firstName', 'address'], giver_email: '', giver_phone: '' }]);
    const again = await importRows('contactless', file, '--without-contacts');
    expect(again.rows.map(({ Status }) => Status)).toEqual(Array(4).fill('already recorded'));
  });

  it('lists a giver at whose address several persons have the name', async () => {
    const file = [
      row('D1', 'Dan', '3 Oak Lane,38103'),
      row('D2', 'Dan', '3 Oak Lane,', { contacts: 'dan@example.org,1' }),
    ];
    const first = await importRows('several', file, '--without-contacts');
    expect(first.rows[1]?.['PeopleId']).not.toBe(first.rows[0]?.['PeopleId']);
    const { rows } = await importRows('several 2', [row('D3', 'Dan', '3 Oak Ln,38103')], '--without-contacts');
    expect(rows).toMatchObject([
      {
        PeopleId: first.rows[0]?.['PeopleId'],
        MultipleMatches: 'true',
        Review: expect.stringContaining('several_matches'),
      },
    ]);
  });

  it('gives the gift to the person that the row names, without a review', async () => {
    const { rows: created } = await importRows('named', [row('N1', 'Nel', '4 Elm Street,38103')], '--without-contacts');
    const peopleId = Number(created[0]?.['PeopleId']);
    const { rows } = await importRows(
      'named 2',
      [row('N2', 'Nelly', ',', { peopleId, amount: '11' })],
      '--without-contacts',
    );
    expect(rows).toMatchObject([{ Status: 'recorded', PeopleId: String(peopleId), Review: '' }]);
  });

  it('matches a row with one contact as always', async () => {
    const contacts = 'olga@example.org,901-555-0101';
    const { rows: known } = await importRows('one', [row('O1', 'Olga', ',', { contacts })]);
    const one = row('O2', 'Olga', ',', { contacts: 'OLGA@example.org,', amount: '11' });
    const { rows } = await importRows('one 2', [one], '--without-contacts');
    expect(rows).toMatchObject([{ PeopleId: known[0]?.['PeopleId'], Review: '' }]);
  });

  it('records the same rows without ids once', async () => {
    const file = [row('', 'Pat', '5 Elm Street,38103'), row('', 'Pat', '5 Elm Street,38103')];
    const first = await importRows('without id', file, '--without-contacts');
    expect(first.rows.map(({ Status }) => Status)).toEqual(['recorded', 'recorded']);
    const again = await importRows('without id', file, '--without-contacts');
    expect(again.rows.map(({ Status }) => Status)).toEqual(['already recorded', 'already recorded']);
  });
});

it('AddContribution still requires e-mail and phone', async () => {
  await service.add({ Email: null, Phone: '', Address: '1 Main Street' }).expect(400);
});
