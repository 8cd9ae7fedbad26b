import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { describeError } from './describe-error.js';

/** An error as thrown by PostgreSQL's driver. */
function databaseError(code: string, message: string, severity = 'ERROR'): Error {
  return Object.assign(new DatabaseError(message, message.length, 'error'), {
    code,
    severity,
    detail: 'Key (email)=(ann@example.org)',
  });
}

describe('an error in one line', () => {
  it.each([
    ['a bug', new TypeError('x is not\n  a function'), 'TypeError x is not a function'],
    [
      'a lost connection',
      Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }),
      'Error ECONNREFUSED connect ECONNREFUSED 127.0.0.1:5432',
    ],
    [
      'a refused connection',
      databaseError('28P01', 'password authentication failed for user "church"', 'FATAL'),
      'DatabaseError 28P01 password authentication failed for user "church"',
    ],
    [
      'a refused statement',
      databaseError('22P02', 'invalid input syntax for type integer: "Ann"'),
      'DatabaseError 22P02',
    ],
    [
      'a refused statement that TypeORM has wrapped',
      new QueryFailedError('SELECT $1', ['Ann'], databaseError('23505', 'Ann is there already')),
      'QueryFailedError 23505',
    ],
    ['a thrown text', 'Ann', 'string thrown'],
    ['undefined', undefined, 'undefined thrown'],
  ])('describes %s', (_what, error, line) => {
    expect(describeError(error)).toBe(line);
  });

  it('is truncated if it is long', () => {
    expect(describeError(new Error('x'.repeat(10_000)))).toHaveLength('Error '.length + 200);
  });
});
