import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { COMPOSE_ONLY } from '../../scripts/reference/env-example.js';
import { readConfiguration } from '../../src/config/index.js';

const SURROUNDINGS = { defaultDataDir: '/somewhere/data' };

/** The names of the variables that are read, recorded by a proxy. */
function variablesRead(): string[] {
  const names = new Set<string>();
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get: (_target, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  readConfiguration(environment, SURROUNDINGS);
  return [...names].sort();
}

function namesIn(file: string, pattern: RegExp): string[] {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ''))].sort();
}

describe('configuration', () => {
  it('has every variable in .env.example, and no others except those of compose', () => {
    expect(namesIn('.env.example', /^#?([A-Z][A-Z_]+)=/gm)).toEqual([...variablesRead(), ...COMPOSE_ONLY].sort());
  });

  it('is frozen, with the defaults of the contract', () => {
    const configuration = readConfiguration({}, SURROUNDINGS);
    expect(configuration).toMatchObject({
      mode: 'live',
      http: {
        port: 3000,
        host: '127.0.0.1',
        basePath: '',
        trustProxy: undefined,
        publicUrl: undefined,
        drainSeconds: 0,
      },
      database: { url: undefined, migrationUrl: undefined, poolSize: 10, dataDir: '/somewhere/data' },
      mail: { smtpUrl: undefined, from: 'offertory@localhost', financeEmails: [] },
      church: {
        name: 'Our Church',
        timeZone: 'UTC',
        country: 'US',
        currency: 'USD',
        minorUnits: 2,
        slashDates: 'M/D/Y',
      },
      loginFailuresPerMinute: 10,
      log: { level: 'info', format: 'json' },
      metrics: { port: undefined, host: '127.0.0.1' },
    });
    for (const part of [
      configuration,
      configuration.http,
      configuration.database,
      configuration.mail,
      configuration.church,
      configuration.metrics,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it.each(['DATABASE_URL', 'MIGRATION_DATABASE_URL'])(
    'refuses parameters in %s that the service sets itself',
    (name) => {
      const url = 'postgres://api:s3cret@db/books';
      const read = (parameters: string): unknown =>
        readConfiguration({ DATABASE_URL: url, [name]: `${url}?${parameters}` }, SURROUNDINGS);
      expect(() => read('sslmode=require')).not.toThrow();
      expect(() => read('statement_timeout=0&sslmode=require&options=-c%20lock_timeout%3D0')).toThrow(
        new RegExp(`${name} must be without options, statement_timeout: the service has settings of its own`),
      );
    },
  );

  it.each([
    ['DATABASE_URL', 'postgres://user:s3@cret/s3cret@db/books'],
    ['DATABASE_URL', 'postgres://user:12/s3cret@db/books'],
    ['DATABASE_URL', 'postgres://user:s3@cret?s3cret@db/books'],
    ['DATABASE_URL', 'postgres://user:s3@cret#s3cret@db/books'],
    ['SMTP_URL', 'smtp://user:s3@cret/s3cret@mail'],
  ])('refuses a password that would be parsed as the host, without repeating it: %s %s', (name, url) => {
    const read = (): unknown => readConfiguration({ [name]: url }, SURROUNDINGS);
    expect(read).toThrow(
      new RegExp(`${name} must have @ / \\? # in its user name or password written as %40 %2F %3F %23`),
    );
    expect(read).toThrow(expect.objectContaining({ message: expect.not.stringMatching(/s3|cret/) }));
  });

  it('accepts an unambiguous @ in a password, and one in the query', () => {
    for (const url of ['postgres://user:p@ss@db/books', 'postgresql:///books?host=/run/postgresql&user=me@server'])
      expect(readConfiguration({ DATABASE_URL: url }, SURROUNDINGS).database.url).toBe(url);
  });

  it('names every invalid variable at once, without its value', () => {
    const bad = {
      OFFERTORY_MODE: 'demo',
      PORT: '70000',
      BASE_PATH: '/a b',
      DATABASE_URL: 'mysql://root:s3cret@db/x',
      MIGRATION_DATABASE_URL: 'postgres:s3cret',
      DATABASE_POOL_SIZE: '0',
      SMTP_URL: 'http://user:s3cret@mail',
      MAIL_FROM: 'nobody',
      FINANCE_EMAILS: 'a@example.org, b',
      CHURCH_TIME_ZONE: 'Chicago',
      CHURCH_COUNTRY: 'XX',
      CHURCH_CURRENCY: 'KWD',
      CHURCH_SLASH_DATES: 'Y/M/D',
      DRAIN_SECONDS: '5s',
      PUBLIC_URL: 'https://api:s3cret@giving.example.org',
      TRUST_PROXY: '10.0.0.0/40',
      LOGIN_FAILURES_PER_MINUTE: 'ten',
      LOGIN_SECRET: 's3cret',
      LOG_LEVEL: 'loud',
      LOG_FORMAT: 'xml',
      METRICS_PORT: 'on',
      METRICS_HOST: 'two\nlines',
      METRICS_NAMES: 'api,http://metrics.example.org',
    };
    expect(() => readConfiguration(bad, SURROUNDINGS)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
    );
    for (const name of Object.keys(bad)) {
      expect(() => readConfiguration(bad, SURROUNDINGS)).toThrow(new RegExp(`^ {2}- ${name} must be`, 'm'));
    }
  });

  describe('reads secrets from files', () => {
    const SECRETS = [
      ['DATABASE_URL', 'postgres://service:s3cret@db/books', 'mysql://root:s3cret@db/x'],
      ['MIGRATION_DATABASE_URL', 'postgres://owner:s3cret@db/books', 'postgres:s3cret'],
      ['SMTP_URL', 'smtps://church:s3cret@mail.example.org', 'http://user:s3cret@mail'],
      ['LOGIN_SECRET', 's3cret, and long enough to be a secret', 's3cret'],
    ] as const;
    const directory = mkdtempSync(join(tmpdir(), 'offertory-secrets-'));
    const base = { DATABASE_URL: 'postgres://service:s3cret@db/books' };
    const read = (environment: Record<string, string>): unknown => readConfiguration(environment, SURROUNDINGS);
    const fileWith = (name: string, text: string): string => {
      const path = join(directory, name);
      writeFileSync(path, text);
      return path;
    };
    /** The environment in which this one variable is different. */
    const without = (name: string): Record<string, string> => (name === 'DATABASE_URL' ? {} : base);
    afterAll(() => {
      rmSync(directory, { recursive: true });
    });

    it('every variable that may contain a password', () => {
      const files = variablesRead().filter((name) => name.endsWith('_FILE'));
      expect(files).toEqual(SECRETS.map(([name]) => `${name}_FILE`).sort());
    });

    it.each(SECRETS)('%s', (name, value, invalid) => {
      const expected = read({ ...without(name), [name]: value });
      const file = (text: string): Record<string, string> => ({
        ...without(name),
        [`${name}_FILE`]: fileWith(name, text),
      });
      expect(read(file(`${value}\n`))).toEqual(expected);
      expect(read({ ...file(value), [name]: '' })).toEqual(expected);
      for (const [text, fault] of [
        [invalid, 'names a file whose content must '],
        [' \n', 'names an empty file'],
      ] as const) {
        expect(() => read(file(text))).toThrow(`${name}_FILE ${fault}`);
        expect(() => read(file(text))).toThrow(
          expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
        );
      }
      expect(() => read({ ...file(value), [name]: value })).toThrow(`${name}_FILE and ${name} are both set`);
      expect(() => read({ ...without(name), [`${name}_FILE`]: join(directory, 'not-there') })).toThrow(
        `${name}_FILE names a file that cannot be read (ENOENT)`,
      );
    });
  });

  it('refuses MIGRATION_DATABASE_URL without DATABASE_URL', () => {
    expect(() => readConfiguration({ MIGRATION_DATABASE_URL: 'postgres://owner@db/x' }, SURROUNDINGS)).toThrow(
      'MIGRATION_DATABASE_URL must come with DATABASE_URL',
    );
  });

  it.each([
    ['OFFERTORY_MODE', 'Test', { mode: 'test' }],
    ['OFFERTORY_MODE', '', { mode: 'live' }],
    ['CHURCH_CURRENCY', 'jpy', { church: { currency: 'JPY', minorUnits: 0 } }],
    ['CHURCH_COUNTRY', 'gb', { church: { country: 'GB', slashDates: undefined } }],
    ['CHURCH_SLASH_DATES', 'd/m/y', { church: { country: 'US', slashDates: 'D/M/Y' } }],
    ['CHURCH_SLASH_DATES', 'D/M/YYYY', undefined],
    ['PUBLIC_URL', 'https://giving.example.org/books', { http: { publicUrl: 'https://giving.example.org/books' } }],
    ['PUBLIC_URL', 'giving.example.org', undefined],
    ['PUBLIC_URL', 'https://giving.example.org/?a=b', undefined],
    ['CHURCH_TIME_ZONE', '+05:00', undefined],
    ['CHURCH_TIME_ZONE', 'CST6CDT', undefined],
    ['CHURCH_TIME_ZONE', 'EST', undefined],
    ['CHURCH_TIME_ZONE', 'UTC', { church: { timeZone: 'UTC' } }],
    ['BASE_PATH', 'giving/', { http: { basePath: '/giving' } }],
    ['TRUST_PROXY', '2', { http: { trustProxy: 2 } }],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8,fd00::/8', { http: { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8'] } }],
    [
      'FINANCE_EMAILS',
      ' a@example.org , b@example.org,',
      { mail: { financeEmails: ['a@example.org', 'b@example.org'] } },
    ],
    ['MAIL_FROM', 'Our Church <office@example.org>', { mail: { from: 'Our Church <office@example.org>' } }],
    [
      'DATABASE_URL',
      'postgresql:///offertory?host=/run/postgresql',
      { database: { url: 'postgresql:///offertory?host=/run/postgresql' } },
    ],
    ['PORT', '', { http: { port: 3000 } }],
    ['METRICS_PORT', 'Off', { metrics: { port: 'off' } }],
    ['METRICS_NAMES', 'api, metrics.example.org', { metrics: { names: ['api', 'metrics.example.org'] } }],
  ])('reads %s=%s', (name, value, expected) => {
    const read = (): object => readConfiguration({ [name]: value }, SURROUNDINGS);
    if (expected === undefined) expect(read).toThrow(name);
    else expect(read()).toMatchObject(expected);
  });
});
