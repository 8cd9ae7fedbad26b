import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { giver } from '../contract/givers.js';
import { checkLogs, faultsOf, leaksOf, makeLogDirectory, unexplained } from './log-check.mjs';
import { gift } from './test-app.js';

const entry = (message: string): string => JSON.stringify({ level: 'error', message });
const usual = (message: string): string => JSON.stringify({ level: 'info', message });
const CLEAN = entry('Request 9f4a1c1e-5d0b-4a55-9015-550101aabbcc failed with internal_error: QueryFailedError 22P02');

describe('a line of the log', () => {
  it('has no fault without personal data', () => {
    expect(faultsOf(CLEAN, ['correct horse battery'])).toEqual([]);
    expect(faultsOf(entry('Delivery 9015550 is sent: the reversal of contribution 12'))).toEqual([]);
  });

  it.each([
    ...Object.entries(gift('app12', { Notes: 'PRIVATE note', Address: 'PRIVATE 1' })),
    ...Object.entries(giver()),
  ])('is at fault if it contains the %s of a giver: %s', (field, value) => {
    // An amount is not personal data.
    const leaks = field === 'Amount' ? 0 : 1;
    expect(faultsOf(entry(`It failed for ${String(value)}.`))).toHaveLength(leaks);
  });

  it.each(['(901) 555-0101', '901.555.0101', '+19015550101', '6157301001'])(
    'is at fault if it contains a phone number: %s',
    (phone) => {
      expect(faultsOf(entry(phone))).toEqual(['tells a phone number']);
    },
  );

  it.each([
    'Authorization: none of your business',
    'Basic YXBpOmNvcnJlY3Q=',
    'postgres://offertory:hidden@db/offertory',
    'smtp://api:hidden@mail.example',
  ])('is at fault if it contains credentials: %s', (text) => {
    expect(faultsOf(entry(text))).toContain('tells credentials');
  });

  it('is at fault if it is a warning or error that docs/operating.md does not explain', () => {
    const logged = (level: string, message: string): string[] => unexplained(JSON.stringify({ level, message }));
    expect(logged('warn', 'Something odd has happened')).toHaveLength(1);
    expect(logged('error', 'The queue cannot reach its database and goes on trying: 57P01')).toHaveLength(1);
    expect(logged('warn', 'The queue cannot reach its database and goes on trying: 57P01')).toEqual([]);
    expect(logged('error', 'Delivery 7, the reversal of contribution 12, is given up after try 12: EENVELOPE')).toEqual(
      [],
    );
    expect(logged('log', 'Something quite usual has happened')).toEqual([]);
  });

  it('is at fault if it contains a password that was used', () => {
    expect(faultsOf(entry('tried correct horse battery'), ['correct horse battery'])).toEqual(['tells a password']);
  });

  it.each(['    at give (gift.js:1:2)', 'null', '[1]', '{"level":"log"}', '{"level":"log","message":"a\u{85}b"}'])(
    'is at fault if it is not a whole entry: %j',
    (line) => {
      expect(faultsOf(line)).toEqual(['is no entry in JSON']);
    },
  );
});

describe('the check of a run', () => {
  it('accepts clean files and removes them', () => {
    const directory = makeLogDirectory();
    writeFileSync(join(directory, 'a.spec.ts.log'), `${CLEAN}\n${CLEAN}\n`);
    writeFileSync(join(directory, 'a.spec.ts.jobs'), '(1,"{""deliveryId"": 1}")\n');
    writeFileSync(join(directory, 'a.spec.ts.secrets'), '"correct horse battery"\n');
    checkLogs(directory);
    expect(existsSync(directory)).toBe(false);
  });

  it('fails with every line at fault and its file', () => {
    const directory = makeLogDirectory();
    writeFileSync(join(directory, 'a.spec.ts.log'), `${CLEAN}\nnot JSON\n${usual('of a@example.org')}\n`);
    writeFileSync(join(directory, 'b.spec.ts.log'), `${usual('it was "my \\\\ password"')}\n`);
    writeFileSync(join(directory, 'b.spec.ts.jobs'), '(1,"{""giver"": ""Annapp1""}")\n');
    writeFileSync(join(directory, 'c.spec.ts.secrets'), `${JSON.stringify('correct horse')}\n"password"\n`);
    expect(() => checkLogs(directory)).toThrow(
      [
        'The services of this run left 4 faults behind:',
        '  a.spec.ts.log is no entry in JSON: not JSON',
        `  a.spec.ts.log tells an e-mail address: ${usual('of a@example.org')}`,
        '  b.spec.ts.jobs tells a giver’s name: (1,"{""giver"": ""Annapp1""}")',
        `  b.spec.ts.log tells a password: ${usual('it was "my \\\\ password"')}`,
      ].join('\n'),
    );
  });
});

describe('a row of the queue', () => {
  it('may hold ids and need not be a log entry', () => {
    expect(leaksOf('(1,"{""noticeId"": ""9f4a1c1e-5d0b-4a55-9015-550101aabbcc""}")')).toEqual([]);
  });
});
