import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { dataSourceOptions } from '../../src/database/sessions/connection.js';
import { STATEMENT_LIMIT_MS } from '../../src/database/transactions/database-time.js';
import { lastSqlRows, prepared, sqlRows, Transactions } from '../../src/database/index.js';
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
  // What is deferred fails when the transaction commits, and not before.
  await database.query(`
    CREATE TABLE note (text text NOT NULL CHECK (text <> ''), UNIQUE (text) DEFERRABLE INITIALLY DEFERRED)`);
  tap = await openWireTap(database.url, 'offertory');
  // One connection: every transaction meets what those before it have prepared, and left.
  dataSource = new DataSource(dataSourceOptions({ url: tap.url }, 1));
  await dataSource.initialize();
  transactions = new Transactions(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await tap.close();
  await database.drop();
});

/** The statement is prepared with its first use on a connection, and goes by itself then. */
beforeEach(async () => {
  await transactions.run((tx) => sqlRows(tx, COUNT));
  await transactions.run((tx) => lastSqlRows(tx, INSERT, ['prepared']));
  await database.query('DELETE FROM note');
  tap.reset();
});

const sent = (): string[] => tap.statements.map(({ text }) => text);
const notes = (): Promise<unknown[]> => database.query('SELECT text FROM note ORDER BY text');

async function write(tx: EntityManager, text: string): Promise<unknown[]> {
  await sqlRows(tx, COUNT);
  return lastSqlRows(tx, INSERT, [text]);
}

describe('a transaction', () => {
  it('begins with its first statement and commits with its last', async () => {
    expect(await transactions.run((tx) => write(tx, 'a'))).toEqual([{ text: 'a' }]);
    expect(sent()).toEqual(['START TRANSACTION', COUNT.text, INSERT.text, 'COMMIT']);
    expect(tap.roundTrips).toBe(2);
    expect(await notes()).toEqual([{ text: 'a' }]);
  });

  it('that has one statement is one message', async () => {
    expect(await transactions.run((tx) => lastSqlRows(tx, INSERT, ['a']))).toEqual([{ text: 'a' }]);
    expect(sent()).toEqual(['START TRANSACTION', INSERT.text, 'COMMIT']);
    expect(tap.roundTrips).toBe(1);
    expect(await notes()).toEqual([{ text: 'a' }]);
  });

  it('commits by itself where its last statement goes by itself', async () => {
    const other = prepared(`INSERT INTO note (text) VALUES ($1) -- ${Date.now()}`);
    await transactions.run((tx) => lastSqlRows(tx, other, ['a']));
    expect(sent()).toEqual(['START TRANSACTION', other.text, 'COMMIT']);
    expect(tap.roundTrips).toBe(3);
    expect(await notes()).toEqual([{ text: 'a' }]);
  });

  it('commits by itself where we could give up before the server does', async () => {
    const limit = STATEMENT_LIMIT_MS + 400;
    await transactions.run(async (tx) => {
      await sqlRows(tx, COUNT);
      await sleep(250);
      return lastSqlRows(tx, INSERT, ['late']);
    }, limit);
    expect(sent()).toEqual(['START TRANSACTION', COUNT.text, INSERT.text, 'COMMIT']);
    expect(tap.roundTrips).toBe(3);
    expect(await notes()).toEqual([{ text: 'late' }]);
  });

  it('stores nothing when its last statement fails', async () => {
    const failing = transactions.run(async (tx) => {
      await sqlRows(tx, INSERT, ['before']);
      return write(tx, '');
    });
    await expect(failing).rejects.toThrow('note_text_check');
    expect(sent().at(-1)).toBe('ROLLBACK');
    expect(await notes()).toEqual([]);
    expect(await transactions.run((tx) => write(tx, 'next'))).toEqual([{ text: 'next' }]);
  });

  it('stores nothing when COMMIT fails', async () => {
    const failing = transactions.run(async (tx) => {
      await sqlRows(tx, INSERT, ['twice']);
      return lastSqlRows(tx, INSERT, ['twice']);
    });
    await expect(failing).rejects.toThrow('note_text_key');
    expect(await notes()).toEqual([]);
    expect(await transactions.run((tx) => write(tx, 'next'))).toEqual([{ text: 'next' }]);
  });

  it('stores nothing when a value of its last statement cannot be sent', async () => {
    const unsendable = {
      toPostgres: (): never => {
        throw new Error('not to be sent');
      },
    };
    // pg forgets a statement of which it could not send a value, and does not know that it has.
    const forgotten = prepared(`${INSERT.text} -- forgotten`);
    await transactions.run((tx) => lastSqlRows(tx, forgotten, ['prepared']));
    await database.query('DELETE FROM note');
    const failing = transactions.run(async (tx) => {
      await sqlRows(tx, INSERT, ['before']);
      return lastSqlRows(tx, forgotten, [unsendable]);
    });
    await expect(failing).rejects.toThrow('not to be sent');
    expect(await notes()).toEqual([]);
    expect(await transactions.run((tx) => write(tx, 'next'))).toEqual([{ text: 'next' }]);
  });

  it('stores nothing when its work has kept a failure to itself', async () => {
    const failing = transactions.run(async (tx) => {
      await sqlRows(tx, INSERT, ['']).catch(() => undefined);
      return lastSqlRows(tx, COUNT, []);
    });
    await expect(failing).rejects.toThrow('current transaction is aborted');
    expect(await notes()).toEqual([]);
  });

  it.each(['prepared', 'not prepared yet'])('takes no statement after its last, %s', async (which) => {
    const last = which === 'prepared' ? INSERT : prepared(`${INSERT.text} -- ${which}`);
    const failing = transactions.run(async (tx) => {
      await lastSqlRows(tx, last, ['last']);
      return sqlRows(tx, COUNT);
    });
    await expect(failing).rejects.toThrow('follows the one that was said to be the last');
    expect(sent()).not.toContain(COUNT.text);
    // What was committed along with it stays.
    expect(await notes()).toEqual(which === 'prepared' ? [{ text: 'last' }] : []);
  });

  it('is repeated where its last statement meets a serialization failure, and writes once', async () => {
    await database.query(`
      CREATE SEQUENCE tries;
      CREATE FUNCTION fail_first() RETURNS text LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('tries') = 2 THEN RAISE 'not now' USING ERRCODE = 'serialization_failure'; END IF;
        RETURN 'at last';
      END $$`);
    const unlucky = prepared('INSERT INTO note (text) VALUES (fail_first()) RETURNING text');
    await transactions.run((tx) => lastSqlRows(tx, unlucky, []));
    await database.query('DELETE FROM note');
    tap.reset();
    expect(await transactions.run((tx) => lastSqlRows(tx, unlucky, []))).toEqual([{ text: 'at last' }]);
    const once = ['START TRANSACTION', unlucky.text, 'COMMIT'];
    expect(sent()).toEqual([...once, 'ROLLBACK', ...once]);
    expect(await notes()).toEqual([{ text: 'at last' }]);
  });

  it('stores nothing when its session ends while the last statement is under way', async () => {
    const slow = prepared('INSERT INTO note (text) SELECT $1 FROM pg_sleep($2) RETURNING text');
    await transactions.run((tx) => lastSqlRows(tx, slow, ['quick', 0]));
    await database.query('DELETE FROM note');
    const failing = transactions.run((tx) => lastSqlRows(tx, slow, ['slow', 30]));
    const ended = expect(failing).rejects.toThrow();
    const waiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await until(async () => (await database.query(waiting)).length === 1);
    await ended;
    expect(await notes()).toEqual([]);
    expect(await transactions.run((tx) => write(tx, 'next'))).toEqual([{ text: 'next' }]);
  });
});
