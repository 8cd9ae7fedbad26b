import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { dataSourceOptions } from '../../src/database/sessions/connection.js';
import { prepared, sqlRows, Transactions } from '../../src/database/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { openWireTap, type WireTap } from '../support/wire-tap.js';

const COUNT = prepared('SELECT count(*)::integer AS notes FROM note');
const INSERT = prepared('INSERT INTO note (text) VALUES ($1) RETURNING text');

let database: TestDatabase;
let tap: WireTap;
let dataSource: DataSource;
let transactions: Transactions;
beforeAll(async () => {
  database = await createTestDatabase();
  // A deferred constraint fails when the transaction commits, and not before.
  await database.query(`
    CREATE TABLE note (text text NOT NULL CHECK (text <> ''), UNIQUE (text) DEFERRABLE INITIALLY DEFERRED)`);
  tap = await openWireTap(database.url, 'offertory');
  // One connection: every transaction meets the state that earlier ones left.
  dataSource = new DataSource(dataSourceOptions({ url: tap.url }, 1));
  await dataSource.initialize();
  transactions = new Transactions(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await tap.close();
  await database.drop();
});

beforeEach(async () => {
  await database.query('DELETE FROM note');
  await transactions.run((tx) => sqlRows(tx, COUNT));
  tap.reset();
});

const sent = (): string[] => tap.statements.map(({ text }) => text);
const notes = (): Promise<unknown[]> => database.query('SELECT text FROM note ORDER BY text');

async function write(tx: EntityManager, text: string): Promise<unknown[]> {
  await sqlRows(tx, COUNT);
  return sqlRows(tx, INSERT, [text]);
}

/** The connection can be used for the next transaction. */
async function expectNext(): Promise<void> {
  expect(await transactions.run((tx) => write(tx, 'next'))).toEqual([{ text: 'next' }]);
}

describe('a transaction', () => {
  it('commits what its work wrote', async () => {
    expect(await transactions.run((tx) => write(tx, 'a'))).toEqual([{ text: 'a' }]);
    expect(sent()).toEqual(['START TRANSACTION', COUNT.text, INSERT.text, 'COMMIT']);
    expect(await notes()).toEqual([{ text: 'a' }]);
  });

  it('stores nothing when a statement fails', async () => {
    const failing = transactions.run(async (tx) => {
      await sqlRows(tx, INSERT, ['before']);
      return write(tx, '');
    });
    await expect(failing).rejects.toThrow('note_text_check');
    expect(sent().at(-1)).toBe('ROLLBACK');
    expect(await notes()).toEqual([]);
    await expectNext();
  });

  it('stores nothing when COMMIT fails', async () => {
    const failing = transactions.run(async (tx) => {
      await sqlRows(tx, INSERT, ['twice']);
      return sqlRows(tx, INSERT, ['twice']);
    });
    await expect(failing).rejects.toThrow('note_text_key');
    expect(await notes()).toEqual([]);
    await expectNext();
  });

  it('stores nothing when a value cannot be sent', async () => {
    const unsendable = {
      toPostgres: (): never => {
        throw new Error('not to be sent');
      },
    };
    const failing = transactions.run(async (tx) => {
      await sqlRows(tx, INSERT, ['before']);
      return sqlRows(tx, INSERT.text, [unsendable]);
    });
    await expect(failing).rejects.toThrow('not to be sent');
    expect(await notes()).toEqual([]);
    await expectNext();
  });

  it('fails when its work swallows the error of a statement, which PostgreSQL rolls back without an error', async () => {
    const failing = transactions.run(async (tx) => {
      await sqlRows(tx, INSERT, ['before']);
      await sqlRows(tx, INSERT, ['']).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('The transaction was rolled back');
    expect(await notes()).toEqual([]);
    await expectNext();
  });

  it('is repeated after a serialization failure, and writes once', async () => {
    await database.query(`
      CREATE SEQUENCE tries;
      CREATE FUNCTION fail_first() RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') = 1 THEN RAISE 'not now' USING ERRCODE = 'serialization_failure'; END IF;
        RETURN 'at last';
      END $$`);
    const unlucky = prepared('INSERT INTO note (text) VALUES (fail_first()) RETURNING text');
    expect(await transactions.run((tx) => sqlRows(tx, unlucky))).toEqual([{ text: 'at last' }]);
    const once = ['START TRANSACTION', unlucky.text];
    expect(sent()).toEqual([...once, 'ROLLBACK', ...once, 'COMMIT']);
    expect(await notes()).toEqual([{ text: 'at last' }]);
  });

  it('stores nothing when its session ends during a statement', async () => {
    const slow = prepared('INSERT INTO note (text) SELECT $1 FROM pg_sleep($2) RETURNING text');
    const failing = transactions.run((tx) => sqlRows(tx, slow, ['slow', 30]));
    const ended = expect(failing).rejects.toThrow();
    const waiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await until(async () => (await database.query(waiting)).length === 1);
    await ended;
    expect(await notes()).toEqual([]);
    await expectNext();
  });

  it('also rolls back what TypeORM saves in it', async () => {
    const failing = transactions.run(async (tx) => {
      await tx.query(INSERT.text, ['by TypeORM']);
      await sqlRows(tx, INSERT, ['']);
    });
    await expect(failing).rejects.toThrow('note_text_check');
    expect(await notes()).toEqual([]);
  });
});

describe('counting the rows of a list', () => {
  it('ends at a limit, and says that there are more', async () => {
    const rows = 'SELECT FROM generate_series(1, $1::integer)';
    expect(await transactions.countSelected(rows, [3])).toEqual({ rows: 3, more: false });
    expect(await transactions.countSelected(rows, [1_000])).toEqual({ rows: 1_000, more: false });
    expect(await transactions.countSelected(rows, [1_001])).toEqual({ rows: 1_000, more: true });
  });

  it('gives up if it takes long, and leaves the connection as it was', async () => {
    expect(await transactions.countSelected('SELECT pg_sleep(5)')).toBeUndefined();
    const [limit] = await transactions.query('SHOW statement_timeout');
    expect(limit).toEqual({ statement_timeout: '5s' });
    await expect(transactions.countSelected('SELECT FROM nothing_like_this')).rejects.toThrow('nothing_like_this');
  });
});
