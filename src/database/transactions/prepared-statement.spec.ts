import { expect, it } from '@jest/globals';
import { prepared, preparedWithNames } from './prepared-statement.js';

it('numbers parameters by their first use, once each', () => {
  const statement = preparedWithNames<{ id: number; day: string }>(
    'SELECT :day::date, :id FROM gift WHERE id = :id AND day = :day',
  );
  expect(statement.text).toBe('SELECT $1::date, $2 FROM gift WHERE id = $2 AND day = $1');
  expect(statement.values({ id: 7, day: '2026-07-26' })).toEqual(['2026-07-26', 7]);
});

it('refuses a name without a value', () => {
  const statement = preparedWithNames<{ id?: number }>('SELECT :id, :ID');
  expect(() => statement.values({ id: 7 })).toThrow('"ID"');
});

it('names a statement by its text', () => {
  expect(preparedWithNames('SELECT 1').name).toBe(prepared('SELECT 1').name);
  expect(prepared('SELECT 1').name).not.toBe(prepared('SELECT 2').name);
});
