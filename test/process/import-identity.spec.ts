import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertLedgerInvariants } from '../support/ledger-invariants.js';
import { type Outcome, runProgram } from '../support/service-process.js';
import { gift, startTestApp, type TestApp } from '../support/test-app.js';

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

const WITH_ID = 'First,Last,Email,Phone,Amount,Date,TransactionId';
const WITHOUT_ID = 'First,Last,Email,Phone,Amount,Date,Notes';

interface Import {
  readonly outcome: Outcome;
  readonly rows: Record<string, string>[];
}

/** Imports a file of these lines, after a dry run that must have the same result. */
async function importBoth(source: string, lines: readonly string[]): Promise<Import> {
  const dry = await importLines(source, lines, '--dry-run');
  const real = await importLines(source, lines);
  const outcomeOf = ({
    Status,
    NewPerson,
    MultipleMatches,
    Code,
    Error: error,
    Review,
  }: Record<string, string>): object => ({
    Status: Status?.replace('would be recorded', 'recorded'),
    ...{ NewPerson, MultipleMatches, Code, Error: error, Review },
  });
  expect(dry.rows.map(outcomeOf)).toEqual(real.rows.map(outcomeOf));
  expect(dry.outcome.code).toBe(real.outcome.code);
  return real;
}

async function importLines(source: string, lines: readonly string[], ...options: string[]): Promise<Import> {
  const path = files.write(`${source}.csv`, lines.join('\n'));
  const args = ['import', path, '--user', 'api', '--source', source, ...options];
  const outcome = await runProgram('cli', args, { DATABASE_URL: service.database.url });
  return { outcome, rows: files.read(`${path}.${options.includes('--dry-run') ? 'dry-run' : 'result'}.csv`) };
}

const statuses = ({ rows }: Import): (string | undefined)[] => rows.map(({ Status }) => Status);

async function countOf(source: string): Promise<number> {
  const [row] = await service.database.query<{ count: number }>(
    'SELECT count(*)::integer FROM contribution WHERE source = $1 AND reverses_id IS NULL',
    [source],
  );
  return row?.count ?? 0;
}

describe('import of rows with an id', () => {
  it('refuses the second row with an id in each run, and names the line of the first', async () => {
    const lines = [
      WITH_ID,
      'Ann,Twice,ann.twice@x.org,901-555-0101,10,2026-07-01,T1',
      'Bob,Twice,bob.twice@x.org,901-555-0102,20,2026-07-01,T1',
      'Ann,Twice,ann.twice@x.org,901-555-0101,10,2026-07-01, T1 ',
      'Cid,Twice,cid.twice@x.org,901-555-0103,not an amount,2026-07-01,T2',
      'Cid,Twice,cid.twice@x.org,901-555-0103,30,2026-07-01,T2',
    ];
    const first = await importBoth('twice', lines);
    expect(statuses(first)).toEqual(['recorded', 'refused', 'refused', 'refused', 'refused']);
    expect(first.outcome.code).toBe(1);
    expect(first.rows[1]).toMatchObject({
      Code: 'transaction_id_reused',
      Error: expect.stringContaining('the row on line 2'),
    });
    expect(first.rows[4]?.['Error']).toContain('the row on line 5');
    const again = await importBoth('twice', lines);
    expect(statuses(again)).toEqual(['already recorded', 'refused', 'refused', 'refused', 'refused']);
    expect(await countOf('twice')).toBe(1);
  });

  it('refuses only ids that a spreadsheet has shortened', async () => {
    const shortened = ['1.23457E+15', '1.23E+05', '1,23457E+15', '1e+16'];
    const others = ['4E12', '12E345', '4000000000000000', 'E+15', '1.5'];
    const lines = [...shortened, ...others].map((id) => `Ann,Short,ann.short@x.org,,10,2026-07-01,"${id}"`);
    const { rows } = await importBoth('shortened', [WITH_ID, ...lines.map((line) => line.replace(',,', ',n/a,'))]);
    expect(rows.map(({ Status }) => Status)).toEqual([
      ...shortened.map(() => 'refused'),
      ...others.map(() => 'recorded'),
    ]);
    expect(rows[0]?.['Error']).toMatch(/^TransactionId 1\.23457E\+15 is not an id.* as text /);
  });

  it('warns of long ids that a spreadsheet may have rounded, and records them', async () => {
    const ids = ['4111222233330000', '411122223334400', '41112222333450000', '411122223335600000'];
    const lines = ids.map((id) => `Ann,Long,ann.long@x.org,n/a,10,2026-07-01,${id}`);
    const { outcome, rows } = await importLines('long', [WITH_ID, ...lines]);
    expect(outcome.stderr).toContain('Warning: all 3 ids of more than 15 digits end in zeros.');
    expect(new Set(rows.map(({ Status }) => Status))).toEqual(new Set(['recorded']));
  });

  it('reports a reversed gift as already recorded, with and without an id', async () => {
    const reverse = async ({ rows }: Import): Promise<void> => {
      await service.reverse(`${rows[0]?.['ContributionId'] ?? ''}/refund`).expect(200);
    };
    const withId = [WITH_ID, 'Ann,Back,ann.back@x.org,901-555-0104,10,2026-07-01,R1'];
    const withoutId = [WITHOUT_ID, 'Ann,Back,ann.back@x.org,901-555-0104,11,2026-07-01,'];
    for (const [source, lines] of [
      ['back', withId],
      ['back2', withoutId],
    ] as const) {
      const first = await importBoth(source, lines);
      await reverse(first);
      const again = await importBoth(source, lines);
      expect(again.rows).toMatchObject([
        { Status: 'already recorded (reversed)', ContributionId: first.rows[0]?.['ContributionId'], Code: '' },
      ]);
      expect(again.outcome.code).toBe(0);
      expect(await countOf(source)).toBe(1);
    }
  });
});

describe('import of rows without an id', () => {
  it('recognizes a row in any spelling of its giver', async () => {
    const row = (giver: string): string => `${giver},25.00,2026-07-05,`;
    const source = 'spelling';
    const first = await importBoth(source, [WITHOUT_ID, row('Nora,Piké,nora.pike@example.org,901-555-0105')]);
    expect(statuses(first)).toEqual(['recorded']);
    for (const giver of [
      'Nora,Pike,Nora.Pike@Example.org,(901) 555-0105',
      'NORA,PIKE,NORA.PIKE@EXAMPLE.ORG,+1 901 555 0105',
    ]) {
      const again = await importBoth(source, [WITHOUT_ID, row(giver)]);
      expect(again.rows).toMatchObject([
        { Status: 'already recorded', ContributionId: first.rows[0]?.['ContributionId'] },
      ]);
    }
    expect(await countOf(source)).toBe(1);
  });

  it.each([
    ['e-mail', 'Ray,Corrected,ray@new.org,901-555-0106'],
    ['phone', 'Ray,Corrected,ray@old.org,901-555-0107'],
  ])('records a row that differs only in its %s, and lists it for review', async (what, changed) => {
    const source = `corrected ${what}`;
    const row = (giver: string): string => `${giver},26.00,2026-07-05,`;
    const first = await importBoth(source, [WITHOUT_ID, row('Ray,Corrected,ray@old.org,901-555-0106')]);
    const ContributionId = first.rows[0]?.['ContributionId'];
    const second = await importBoth(source, [WITHOUT_ID, row(changed)]);
    expect(second.rows).toMatchObject([
      { Status: 'recorded', Review: expect.stringContaining('similar_row'), SimilarTo: ContributionId },
    ]);
    const reviews = await service.database.query(
      `SELECT other_gifts FROM review WHERE contribution_id = $1 AND 'similar_row' = ANY (reasons)`,
      [Number(second.rows[0]?.['ContributionId'])],
    );
    expect(reviews).toEqual([{ other_gifts: expect.arrayContaining([Number(ContributionId)]) }]);
    expect(statuses(await importBoth(source, [WITHOUT_ID, row(changed)]))).toEqual(['already recorded']);
  });

  it('finds a similar gift with other contacts in any spelling of the name', async () => {
    const givers = ["O'Dell", 'Núñez', 'St. John', 'Smith-Jones', 'Straßer', 'Иван', '李'];
    const others = ['O’Dell', 'NUNEZ', 'st john', 'Smith Jones', 'Strasser', 'ИВАН', '李'];
    const line = (last: string, end: string): string => `Mary-Ann,${last},${end},27.00,2026-07-06,`;
    const source = 'namesakes';
    const first = await importLines(source, [WITHOUT_ID, ...givers.map((last, i) => line(last, `a${i}@x.org,n/a`))]);
    const unlike = ['Dell', 'Nun', 'Ивана'].map((last, i) => line(last, `c${i}@x.org,n/a`));
    const rows = others.map((last, i) => line(last, `b${i}@x.org,n/a`).replace('Mary-Ann', 'mary ann'));
    const second = await importLines(source, [WITHOUT_ID, ...rows, ...unlike]);
    expect(second.rows.map(({ SimilarTo }) => SimilarTo)).toEqual([
      ...first.rows.map(({ ContributionId }) => ContributionId),
      ...unlike.map(() => ''),
    ]);
  });
});

describe('a dry run', () => {
  it('predicts a real run for related rows of a file: new persons once, reviews, closed funds', async () => {
    await service.database.query(`INSERT INTO fund (name, is_open) VALUES ('Old roof', false)`);
    const [fund] = await service.database.query<{ id: number }>(`SELECT id FROM fund WHERE name = 'Old roof'`);
    const known = gift('Known');
    await service.add(known).expect(200);
    const mapping = files.write('known.json', JSON.stringify({ FundId: 'FundId' }));
    const lines = [
      'First,Last,Email,Phone,Amount,Date,FundId',
      'New,Comer,new.comer@x.org,901-555-0110,10,2026-07-01,',
      'New,Comer,new.comer@x.org,n/a,11,2026-07-02,',
      'New,Comer,other@x.org,901-555-0110,12,2026-07-03,',
      'New,Comer,other2@x.org,901-555-0119,12,2026-07-03,',
      'Nick,Comer,new.comer@x.org,n/a,13,2026-07-03,',
      `${known['First'] as string},${known['Last'] as string},${known['Email'] as string},n/a,14,2026-07-03,`,
      `New,Comer,new.comer@x.org,n/a,15,2026-07-04,${fund?.id ?? ''}`,
      'New,Comer,new.comer@x.org,n/a,15,2026-07-04,99999',
    ];
    const path = files.write('dry.csv', lines.join('\n'));
    const args = ['import', path, '--user', 'api', '--source', 'dry', '--mapping', mapping];
    const environment = { DATABASE_URL: service.database.url };
    await runProgram('cli', [...args, '--dry-run'], environment);
    expect(await countOf('dry')).toBe(0);
    await runProgram('cli', args, environment);
    const dry = files.read(`${path}.dry-run.csv`);
    const real = files.read(`${path}.result.csv`);
    const compared = ['NewPerson', 'MultipleMatches', 'Code', 'Review'] as const;
    const pick = (row: Record<string, string>): object => Object.fromEntries(compared.map((name) => [name, row[name]]));
    expect(dry.map(pick)).toEqual(real.map(pick));
    expect(dry.map(({ NewPerson }) => NewPerson)).toEqual([
      'true',
      'false',
      'false',
      'true',
      'true',
      'false',
      'false',
      '',
    ]);
    expect(dry[6]?.['Review']).toContain('closed_fund');
    expect(dry[5]?.['PeopleId']).toBe(real[5]?.['PeopleId']);
    expect(dry[1]?.['PeopleId']).toBe('');
  });
});
