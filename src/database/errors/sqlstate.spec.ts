import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import {
  isDatabaseUnavailable,
  isRetryable,
  spoilsConnection,
  sqlState,
  violatesForeignKey,
  violatesUnique,
} from './sqlstate.js';

/** An error of PostgreSQL's driver, wrapped by TypeORM. */
function failed(code: string, constraint?: string): QueryFailedError {
  return new QueryFailedError('SELECT 1', [], Object.assign(new Error('told by the server'), { code, constraint }));
}

describe('errors of the database', () => {
  it.each([
    '2200H',
    '57P01',
    '57P02',
    '57P03',
    '08006',
    '08001',
    '25006',
    '53300',
    '53100',
    '55P03',
    '57014',
    '25P03',
    '40001',
    '40P01',
  ])('%s means that the database is unavailable', (code) => expect(isDatabaseUnavailable(failed(code))).toBe(true));

  it.each(['23505', '23503', '22021', '22003', '42P01', '42601', '23514'])(
    '%s is a bug or a violated constraint',
    (code) => expect(isDatabaseUnavailable(failed(code))).toBe(false),
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'])(
    '%s of the socket means that the database is unavailable',
    (code) => {
      expect(isDatabaseUnavailable(failed(code))).toBe(true);
      expect(isDatabaseUnavailable(Object.assign(new Error('connect'), { code }))).toBe(true);
      expect(sqlState(failed(code))).toBeUndefined();
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('"%s", which pg reports only as text, means that the database is unavailable', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  it('a bug does not mean that the database is unavailable', () => {
    expect(isDatabaseUnavailable(new TypeError('x is not a function'))).toBe(false);
    expect(isDatabaseUnavailable('timeout exceeded when trying to connect')).toBe(false);
  });

  it('only conflicts of transactions can be retried', () => {
    expect(['40001', '40P01', '55P03', '23505'].map((code) => isRetryable(failed(code)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('a violation is recognized by its kind and the name of its constraint', () => {
    expect(violatesUnique(failed('23505', 'a_key'), 'a_key')).toBe(true);
    expect(violatesUnique(failed('23505', 'a_key'), 'b_key')).toBe(false);
    expect(violatesUnique(failed('23503', 'a_key'), 'a_key')).toBe(false);
    expect(violatesForeignKey(failed('23503', 'a_fkey'), 'a_fkey')).toBe(true);
  });

  it('recognizes the errors after which a connection must not be used again', () => {
    expect(spoilsConnection(new QueryFailedError('SELECT 1', [], new Error('Query read timeout')))).toBe(true);
    expect(spoilsConnection(failed('25006'))).toBe(true);
    expect(spoilsConnection(failed('26000'))).toBe(true);
    expect(spoilsConnection(failed('55000'))).toBe(true);
    expect(spoilsConnection(failed('57014'))).toBe(false);
    expect(spoilsConnection(failed('23505'))).toBe(false);
  });

  it.each([
    ['0A000', 'get_relation_info', 'transformFromClause'],
    ['XX000', 'GetNewTransactionId', 'relation_open'],
    ['XX000', 'XLogBeginInsert', 'ExecInitExprRec'],
  ])('%s of %s is a server in recovery, which is not used again; of %s it is a fault', (code, inRecovery, other) => {
    const refused = (routine: string): Error => Object.assign(new Error('told by the server'), { code, routine });
    expect(isDatabaseUnavailable(refused(inRecovery))).toBe(true);
    expect(spoilsConnection(refused(inRecovery))).toBe(true);
    expect(isDatabaseUnavailable(refused(other))).toBe(false);
    expect(spoilsConnection(refused(other))).toBe(false);
  });
});
