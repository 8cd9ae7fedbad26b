import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { environmentOf, interpolate } from '../../scripts/container-check/compose-files.mjs';

const COMPOSE_FILE = new URL('../../docker-compose.yml', import.meta.url);
const compose = readFileSync(COMPOSE_FILE, 'utf8');
const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

/** The lines of each service in docker-compose.yml. */
const services = new Map(
  [...(compose.split(/^services:\n/m)[1] ?? '').matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n|\n| {2}#.*\n)+)/gm)].map(
    ([, name = '', body = '']) => [name, body],
  ),
);

/** The items of a list in a service. */
function listIn(body: string, name: string): string[] {
  const [, items = ''] = new RegExp(`^ {4}${name}:\\n((?: {6}.*\\n)+)`, 'm').exec(body) ?? [];
  return [...items.matchAll(/^ {6}- (.*)$/gm)].map(([, item = '']) => item);
}

const environment = (service: string, variables: Record<string, string>): Record<string, string> | undefined =>
  environmentOf(service, [COMPOSE_FILE], variables);

const ALL_PASSWORDS = { POSTGRES_PASSWORD: 'a1', OWNER_PASSWORD: 'b2', SERVICE_PASSWORD: 'c3' };

describe('the containers', () => {
  it('are these', () => {
    expect([...services.keys()].sort()).toEqual([
      ...['api', 'mail', 'migrate', 'postgres', 'roles'],
      ...['test', 'test-migrate', 'test-postgres', 'test-roles', 'tls'],
    ]);
  });

  it.each([...services])('%s is read-only and has no capability beyond what it needs', (name, body) => {
    const needed: Record<string, string[]> = {
      postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      'test-postgres': ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      tls: ['NET_BIND_SERVICE'],
    };
    expect(body).toMatch(/^ {4}read_only: true$/m);
    expect(listIn(body, 'cap_drop')).toEqual(['ALL']);
    expect(listIn(body, 'cap_add')).toEqual(needed[name] ?? []);
    expect(listIn(body, 'security_opt')).toEqual(['no-new-privileges:true']);
    expect(body).not.toMatch(/privileged|network_mode|pid:|docker\.sock/);
  });

  it('are made from exact versions', () => {
    const images = [...compose.matchAll(/^ {4}image: (.*)$/gm), ...dockerfile.matchAll(/^FROM (\S+)/gm)].map(
      ([, image = '']) => image,
    );
    const theirs = images.filter((image) => image !== '${COMPOSE_PROJECT_NAME:-offertory}');
    expect(theirs).toHaveLength(8);
    // PostgreSQL's versions have two numbers.
    for (const image of theirs) expect(image).toMatch(/^(postgres:\d+\.\d+|[\w/]+:v?\d+\.\d+\.\d+(-slim)?)$/);
  });
});

describe('the roles of the database', () => {
  it('are used by default', () => {
    expect(environment('api', ALL_PASSWORDS)).toMatchObject({
      DATABASE_URL: 'postgres://offertory_service:c3@postgres:5432/offertory',
      MIGRATION_DATABASE_URL: '',
      POSTGRES_PASSWORD: '',
      OWNER_PASSWORD: '',
      SERVICE_PASSWORD: '',
    });
    expect(environment('migrate', ALL_PASSWORDS)).toMatchObject({
      DATABASE_URL: 'postgres://offertory_service:c3@postgres:5432/offertory',
      MIGRATION_DATABASE_URL: 'postgres://offertory_owner:b2@postgres:5432/offertory',
    });
    expect(environment('roles', ALL_PASSWORDS)).toMatchObject({ PGPASSWORD: 'a1', PGUSER: 'offertory' });
  });

  it('are not used with an .env from before them, which still starts', () => {
    const yesterday = { POSTGRES_PASSWORD: 'a1' };
    const url = 'postgres://offertory:a1@postgres:5432/offertory';
    expect(environment('api', yesterday)).toMatchObject({ DATABASE_URL: url, MIGRATION_DATABASE_URL: '' });
    expect(environment('migrate', yesterday)).toMatchObject({ DATABASE_URL: url, MIGRATION_DATABASE_URL: url });
  });

  it('need the password of the superuser, and a message says how to make it', () => {
    for (const variables of [{}, { POSTGRES_PASSWORD: '', OWNER_PASSWORD: 'b2' }])
      expect(() => interpolate(compose, variables)).toThrow('POSTGRES_PASSWORD: run scripts/secrets.sh');
  });
});

describe('the test system', () => {
  const TEST_PASSWORDS = {
    TEST_POSTGRES_PASSWORD: 'd4',
    TEST_OWNER_PASSWORD: 'e5',
    TEST_SERVICE_PASSWORD: 'f6',
    TEST_LOGIN_SECRET: 'g7',
  };
  const variables = { ...ALL_PASSWORDS, ...TEST_PASSWORDS };

  it('has a database server, passwords and a mode of its own', () => {
    expect(environment('test', variables)).toMatchObject({
      OFFERTORY_MODE: 'test',
      DATABASE_URL: 'postgres://offertory_service:f6@test-postgres:5432/offertory',
      MIGRATION_DATABASE_URL: '',
      LOGIN_SECRET: 'g7',
      POSTGRES_PASSWORD: '',
      TEST_POSTGRES_PASSWORD: '',
    });
    expect(environment('test-migrate', variables)).toMatchObject({
      OFFERTORY_MODE: 'test',
      DATABASE_URL: 'postgres://offertory_service:f6@test-postgres:5432/offertory',
      MIGRATION_DATABASE_URL: 'postgres://offertory_owner:e5@test-postgres:5432/offertory',
    });
    expect(environment('api', variables)).toMatchObject({ OFFERTORY_MODE: 'live', TEST_SERVICE_PASSWORD: '' });
  });

  it('differs from the service in nothing else that protects it', () => {
    const withoutSecret = { ...variables, TEST_LOGIN_SECRET: '' };
    const own = ['DATABASE_URL', 'OFFERTORY_MODE', 'METRICS_NAMES'];
    const settings = (name: string): object =>
      Object.fromEntries(Object.entries(environment(name, withoutSecret) ?? {}).filter(([key]) => !own.includes(key)));
    expect(settings('test')).toEqual({
      ...settings('api'),
      LOGIN_SECRET: '',
      LOGIN_SECRET_FILE: '',
      PUBLIC_URL: '',
      CHURCH_DOMAIN: '',
    });
  });

  it('needs no passwords where it is not started', () => {
    expect(() => interpolate(compose, { POSTGRES_PASSWORD: 'a1' })).not.toThrow();
  });
});

describe("the reader of compose's substitutions", () => {
  it.each([
    ['${A}', 'a'],
    ['${MISSING}${EMPTY}', ''],
    ['${MISSING:-${A}}/${A:-x}', 'a/a'],
    ['${A:+_${A}}${EMPTY:+x}', '_a'],
    ['x${MISSING:-${EMPTY:-y}}z', 'xyz'],
  ])('reads %s', (text, expected) => {
    expect(interpolate(text, { A: 'a', EMPTY: '' })).toBe(expected);
  });
});
