import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { AccessEntry } from './http/index.js';
import { createLogger } from './logger.js';

const STACK = 'Error: boom\nof Ann\n    at give (gift.js:1:2)\n    at take (gift.js:3:4)';
/** Every kind of line break, an escape sequence that clears the screen, the same in one character, a turn of direction. */
const HOSTILE = 'a\nb\r\nc\u{2028}d\u{2029}e\u{85}f\u{B}g\u{C}\u{1B}[2Jh\u{9B}2Ji\u{202E}j\u{E0001}\u{D800}k"\\';
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

let lines: { stream: string; line: string }[];

beforeEach(() => {
  lines = [];
});
afterEach(() => {
  Logger.overrideLogger(false);
});

/** A logger as the service's classes have one, and its lines in `lines`. */
function start(format: 'json' | 'pretty', level: 'info' | 'error' = 'info'): Logger {
  Logger.overrideLogger(createLogger({ level, format }, (stream, line) => lines.push({ stream, line })));
  return new Logger('Http');
}

function onlyLine(): string {
  expect(lines).toHaveLength(1);
  return lines[0]?.line ?? '';
}

const entry = (): Record<string, unknown> => JSON.parse(onlyLine()) as Record<string, unknown>;
/** Without the colours that a terminal gets. */
// eslint-disable-next-line no-control-regex -- that is what colours are
const plain = (): string => onlyLine().replace(/\u{1B}\[[\d;]*m/gu, '');

describe('an entry in JSON', () => {
  it('is a line that says level, time, context and message', () => {
    start('json').log('Ready');
    expect(entry()).toEqual({
      level: 'info',
      pid: process.pid,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      message: 'Ready',
      context: 'Http',
    });
    expect(lines[0]?.stream).toBe('stdout');
  });

  it.each(['fatal', 'error', 'warn', 'debug', 'verbose'] as const)('names the level %s', (level) => {
    Logger.overrideLogger(
      createLogger({ level: 'verbose', format: 'json' }, (stream, line) => lines.push({ stream, line })),
    );
    new Logger('Http')[level]('Ready');
    expect(entry()['level']).toBe(level);
  });

  it('has the stack inside, without the message that a stack begins with', () => {
    start('json').error('It failed', STACK);
    expect(entry()).toMatchObject({
      level: 'error',
      message: 'It failed',
      stack: 'at give (gift.js:1:2)\nat take (gift.js:3:4)',
    });
    expect(lines[0]?.stream).toBe('stderr');
  });

  it('is one line of visible characters whatever it tells, and that is read back unchanged', () => {
    start('json').warn(HOSTILE);
    expect(onlyLine()).not.toMatch(INVISIBLE);
    expect(entry()['message']).toBe(HOSTILE);
  });
});

describe('an entry for a person at a terminal', () => {
  it('names the level as LOG_LEVEL does', () => {
    start('pretty').log('Ready');
    expect(plain()).toMatch(/ INFO \[Http\] Ready$/);
  });

  it('is one line with the stack at its end', () => {
    start('pretty').error('It failed', STACK);
    expect(plain()).toMatch(/ERROR \[Http\] It failed \| at give \(gift\.js:1:2\) \| at take \(gift\.js:3:4\)$/);
  });

  it('cannot be broken in two, nor made to move the cursor', () => {
    start('pretty').warn(HOSTILE);
    expect(plain()).not.toMatch(INVISIBLE);
    expect(plain()).toContain(String.raw`a\u000ab\u000d\u000ac\u2028d`);
  });
});

describe.each(['json', 'pretty'] as const)('an entry in %s', (format) => {
  it('contains only the name, message and place of an error, and no property of it', () => {
    const driverError = Object.assign(new Error('bad value "Ann"'), { code: '22P02', detail: 'ann@example.org' });
    start(format).error(new QueryFailedError('SELECT $1', ['ann@example.org'], driverError));
    expect(onlyLine()).toContain('QueryFailedError 22P02');
    expect(onlyLine()).toContain('logger.spec');
    expect(onlyLine()).not.toMatch(/Ann|example|SELECT/);
  });

  it('tells nothing of objects given along', () => {
    start(format).warn('It failed', { giver: 'Ann' });
    expect(onlyLine()).toContain('It failed');
    expect(onlyLine()).not.toContain('Ann');
  });

  it('of a request tells its fields, those that there are', () => {
    const outcome = {
      requestId: 'id-1',
      method: 'GET',
      route: '/Api/Reviews/:id/accept',
      id: 7,
      status: 403,
      code: 'forbidden',
    } as const;
    start(format).log(new AccessEntry({ ...outcome, user: 'api', tokenId: 12, seconds: 0.01234 }));
    if (format === 'pretty')
      expect(plain()).toMatch(
        / GET \/Api\/Reviews\/:id\/accept 403 \| requestId=id-1 \| user=api \| token=12 \| method=GET \| route=\/Api\/Reviews\/:id\/accept \| id=7 \| status=403 \| code=forbidden \| durationMs=12.3$/,
      );
    else
      expect(entry()).toMatchObject({
        message: 'GET /Api/Reviews/:id/accept 403',
        ...outcome,
        user: 'api',
        token: 12,
        durationMs: 12.3,
      });
  });

  it('is left out below the level', () => {
    const logger = start(format, 'error');
    logger.log('Ready');
    logger.warn('Look');
    expect(lines).toEqual([]);
  });

  it('of Nest’s assembly is there for debugging only', () => {
    start(format);
    Logger.log('Mapped {/Api}', 'RouterExplorer');
    expect(lines).toEqual([]);
  });
});
