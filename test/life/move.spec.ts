import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { assertLedgerInvariants, type Ledger, readClosedBundles } from '../support/ledger-invariants.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import {
  createApiUser,
  type Outcome,
  runProgram,
  type ServiceProcess,
  startProgram,
  startServiceProcess,
} from '../support/service-process.js';
import { gift } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { assertSameRows, readAllRows } from './all-rows.js';
import { inEmbeddedBooks } from './embedded-books.js';
import { fillBooks } from './filled-books.js';

const PASSWORD = 'the books go to a new house';
const KEY = 'a key of before the move';

let dataDir: string;
let target: TestDatabase;
let old: { contributionId: number; fields: object; answer: object };
let before: Map<string, string[]>;

const embedded = (): Record<string, string> => ({ DATA_DIR: dataDir, FINANCE_EMAILS: 'office@example.org' });
const move = (...options: string[]): Promise<Outcome> =>
  runProgram('cli', ['database', 'move', target.url, ...options], embedded());

const inTheOldBooks = <T>(work: (ledger: Ledger) => Promise<T>): Promise<T> => inEmbeddedBooks(dataDir, work);

/**
 * All rows without those that differ between two databases: the times of migrations, the identity of the database, and
 * the audit entry of the move.
 */
async function readBooks(ledger: Ledger): Promise<Map<string, string[]>> {
  const rows = await readAllRows(ledger);
  rows.delete('migrations');
  const epochs = (rows.get('books_epoch') ?? []).map((row) => JSON.parse(row) as object);
  rows.set(
    'books_epoch',
    epochs.map((epoch) => JSON.stringify({ ...epoch, identity: undefined })),
  );
  rows.set(
    'audit_entry',
    (rows.get('audit_entry') ?? []).filter((row) => !row.includes('"database.move"')),
  );
  return rows;
}

/** Adds a gift with a key, and a reversal whose notice cannot be sent. */
async function useService(service: ServiceProcess): Promise<void> {
  const client = new Client(service.url, 'api', PASSWORD);
  const fields = gift('moved', { Amount: '12.34' });
  const added = await client.add(fields, KEY);
  const other = await client.add(gift('taken.back', { Amount: '5' }));
  expect(await client.reverse(Number(other.body['ContributionId']))).toMatchObject({ status: 200 });
  old = { contributionId: Number(added.body['ContributionId']), fields, answer: added.body };
  await until(
    () => inTheOldBooks(async (books) => (await books.query('SELECT FROM delivery WHERE attempts = 1')).length === 1),
    30_000,
  );
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'offertory-move-'));
  chmodSync(dataDir, 0o755);
  target = await createTestDatabase({ empty: true });
  await createApiUser(embedded(), PASSWORD);
  const service = await startServiceProcess({ ...embedded(), SMTP_URL: 'smtp://127.0.0.1:9' });
  await useService(service);
  expect(await move()).toMatchObject({ code: 1, stderr: expect.stringMatching(/is in use\. Stop the service/) });
  expect(await service.end('SIGTERM')).toBe(0);
  await inTheOldBooks(fillBooks);
  before = await inTheOldBooks(readBooks);
});
afterAll(async () => {
  await target.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

// Each test continues from the one before.
describe('offertory database move', () => {
  it('leaves the new database empty when it is killed midway', async () => {
    const program = startProgram('cli', ['database', 'move', target.url], embedded());
    // This line is printed when the gifts are being copied.
    await until(() => program.stderr().includes('contribution'), 60_000);
    program.kill('SIGKILL');
    await program.outcome;
    expect(program.stderr()).not.toContain('100 %');
    expect(await target.query('SELECT FROM person UNION ALL SELECT FROM app_user')).toEqual([]);
    expect(await target.query('SELECT name FROM fund')).toEqual([{ name: 'General' }]);
  });

  it('moves 20,000 gifts and all other rows unchanged, and reports what it moved', async () => {
    const { code, stdout, stderr } = await move('--json');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('100 %') });
    const moved = JSON.parse(stdout) as { tables: { table: string; rows: number }[] };
    expect(moved).toMatchObject({
      marker: join(dataDir, 'moved.json'),
      totals: [{ currency: 'EUR' }, { currency: 'USD' }],
    });
    expect(moved.tables.find(({ table }) => table === 'contribution')?.rows).toBe(before.get('contribution')?.length);

    const after = await readBooks(target);
    expect([...after.keys()]).toEqual([...before.keys()]);
    assertSameRows(before, after);
    await assertLedgerInvariants(target);
  });

  it('prevents a service and commands from using the old books, and says where the new ones are', async () => {
    for (const outcome of [
      await runProgram('main', [], embedded()),
      await runProgram('cli', ['bundle', 'list'], embedded()),
      await move(),
    ]) {
      expect(outcome).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/moved to postgres.*DATABASE_URL.*delete .*moved\.json/s),
      });
    }
  });

  it('lets the service continue: ids, reversals, repeated calls, closed bundles, and the pending notice', async () => {
    const mails: MailServer = await startMailServer();
    const closed = await readClosedBundles(target);
    const service = await startServiceProcess({
      DATABASE_URL: target.url,
      SMTP_URL: mails.url,
      FINANCE_EMAILS: 'office@example.org',
    });
    try {
      const client = new Client(service.url, 'api', PASSWORD);
      const repeated = await client.add(old.fields, KEY);
      expect(repeated).toMatchObject({ status: 200, body: old.answer });
      expect(repeated.headers.get('Idempotency-Replayed')).toBe('true');

      const highest = Math.max(
        ...(before.get('contribution') ?? []).map((row) => (JSON.parse(row) as { id: number }).id),
      );
      const added = await client.add(gift('afterwards'));
      expect(added).toMatchObject({ status: 200, body: { NewPerson: true } });
      // The old books have five unused ids at their end.
      expect(added.body['ContributionId']).toBe(highest + 6);
      // The moved person is matched by its moved keys.
      expect(await client.add(gift('moved'))).toMatchObject({ status: 200, body: { NewPerson: false } });

      expect(await client.reverse(old.contributionId)).toMatchObject({ status: 200 });
      expect(await client.reverse(old.contributionId)).toMatchObject({ status: 409 });
      const [inClosed] = await target.query<{ id: number }>(
        `SELECT c.id FROM contribution c JOIN bundle b ON b.id = bundle_id
         WHERE b.status = 0 AND c.status = 0 AND contribution_type_id = 1 ORDER BY c.id LIMIT 1`,
      );
      expect(await client.reverse(inClosed?.id ?? 0)).toMatchObject({ status: 200 });
      await expect(
        target.query('UPDATE contribution SET amount = amount + 1 WHERE id = $1', [inClosed?.id]),
      ).rejects.toThrow(/is closed/);

      // The pending notice goes to the office, the two later ones to the treasurer as well.
      await until(() => mails.mails.length === 5, 30_000);
      expect(mails.mails.map(({ text }) => /taken\[\.\]back/i.test(text ?? '')).filter(Boolean)).toHaveLength(1);
    } finally {
      expect(await service.end('SIGTERM')).toBe(0);
      await mails.stop();
    }
    await assertLedgerInvariants(target, closed);
  });

  it('leaves the old books unchanged, and usable once the marker is deleted', async () => {
    rmSync(join(dataDir, 'moved.json'));
    assertSameRows(before, await inTheOldBooks(readBooks));
    expect(await move()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/new database is in use: there are rows/),
    });
  });
});
