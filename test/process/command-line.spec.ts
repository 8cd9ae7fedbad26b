import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Outcome, runProgram } from '../support/service-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(() => database.drop());

const offertory = (line: string, input?: string): Promise<Outcome> =>
  runProgram('cli', line.split(' '), { DATABASE_URL: database.url }, input);

describe('offertory', () => {
  it('needs no database for --help, --version and unknown commands', async () => {
    const nowhere = { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' };
    expect(await runProgram('cli', ['--help'], nowhere)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('user'),
    });
    expect(await runProgram('cli', ['--version'], nowhere)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const wrong = await runProgram('cli', ['user', 'remove', 'api'], nowhere);
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining("unknown command 'remove'") });
  });

  it('shows pending migrations, migrates a new database, and then has nothing to do', async () => {
    const before = JSON.parse((await offertory('database status --json')).stdout) as Record<string, string[]>;
    expect(before['applied']).toEqual([]);
    const migrated = JSON.parse((await offertory('database migrate --json')).stdout) as Record<string, string[]>;
    expect(migrated['applied']).toEqual(before['pending']);
    expect(JSON.parse((await offertory('database migrate --json')).stdout)).toEqual({
      applied: [],
      rights: expect.stringMatching(/^none to grant/),
    });
    expect(JSON.parse((await offertory('database status --json')).stdout)).toEqual({
      applied: before['pending'],
      pending: [],
      newer: [],
    });
  });

  it('creates a user with a generated password and prints it once', async () => {
    const created = await offertory(
      'user create txt2give --roles Developer,APIOnly,APIWrite --email give@example.org --json',
    );
    expect(JSON.parse(created.stdout)).toEqual({
      username: 'txt2give',
      password: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
    });
    expect((await offertory('user list')).stdout).toMatch(
      /txt2give +give@example\.org +true +Developer, APIOnly, APIWrite/,
    );
  });

  it('completes its work and exits quietly when its output is not read', async () => {
    const cli = `${process.execPath} ${new URL('../../dist/command-line/offertory.js', import.meta.url).pathname}`;
    const inShell = (line: string): object => {
      const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
      const { status, stderr } = spawnSync('bash', ['--norc', '-c', `set -o pipefail; ${line}`], {
        env,
        encoding: 'utf8',
      });
      return { status, stderr };
    };
    expect(inShell(`(sleep 0.2; ${cli} user list) | true`)).toEqual({ status: 0, stderr: '' });
    expect(inShell(`(${cli} user create quiet; echo) | true`)).toMatchObject({ stderr: '' });
    const users = JSON.parse((await offertory('user list --json')).stdout) as object[];
    expect(users).toContainEqual(expect.objectContaining({ username: 'quiet' }));
  });

  it('prints only its own output when run with npm as the reference of commands shows', () => {
    const page = readFileSync('docs/reference/commands.md', 'utf8');
    const [, line = ''] = /`(npm run [^`]*)<command>`/.exec(page) ?? [];
    expect(line).not.toBe('');
    const { stdout } = spawnSync('bash', ['--norc', '-c', `${line}--version`], { encoding: 'utf8' });
    expect(stdout).toBe(`${version}\n`);
  });

  it('reads a password from standard input and does not print it', async () => {
    const created = await offertory(
      'user create treasurer --roles Finance --password-stdin',
      'pass:wörd with spaces\n',
    );
    expect(created).toMatchObject({ code: 0 });
    expect(created.stdout + created.stderr).not.toContain('wörd');
  });

  it('warns of a password that is easy to guess, and sets it', async () => {
    const warned = await offertory('user create hasty --password-stdin', 'Passw0rd\n');
    expect(warned).toMatchObject({
      code: 0,
      stderr:
        'Warning: a password must not be one that many people use: others try these first. Please set another one.\n',
    });
    expect(await offertory('user set-password hasty --password-stdin', 'forty-two gardens\n')).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  it('grants and revokes roles, disables and enables users, and sets passwords', async () => {
    const users: object[] = [];
    for (const line of ['grant treasurer Developer APIOnly', 'revoke treasurer Developer', 'disable treasurer'])
      users.push(JSON.parse((await offertory(`user ${line} --json`)).stdout) as object);
    expect(users).toMatchObject([
      { username: 'treasurer', active: true, roles: ['Developer', 'APIOnly', 'Finance'] },
      { active: true, roles: ['APIOnly', 'Finance'] },
      { active: false },
    ]);
    expect(await offertory('user set-password treasurer')).toMatchObject({ code: 0, stderr: '' });
    const listed = JSON.parse((await offertory('user list --json')).stdout) as object[];
    expect(listed).toContainEqual(users[2]);
    expect(await offertory('user enable treasurer')).toMatchObject({ code: 0 });
  });

  it.each([
    ['user create txt2give', 'There is a user txt2give already'],
    ['user create TXT2GIVE', 'The name TXT2GIVE looks like that of the user txt2give.'],
    ['user create txt2g\u0456ve', 'looks like that of the user txt2give.'],
    ['user create COMMAND\u00A0LINE', 'This name is reserved'],
    ['user create other --roles Admin', 'Unknown role Admin'],
    ['user grant nobody Finance', 'There is no user nobody'],
    ['contribution show 1', 'There is no contribution 1'],
    ['contribution show 1e1', 'It must be an id'],
    ['user create', "missing required argument 'username'"],
  ])('explains a failure in one line: %s', async (line, message) => {
    const outcome = await offertory(line);
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain(message);
    expect(outcome.stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });

  it('names every invalid variable of the configuration, without a stack trace', async () => {
    const outcome = await runProgram('main', [], {
      PORT: 'x',
      CHURCH_TIME_ZONE: 'Chicago',
      DATABASE_URL: database.url,
    });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/PORT must be[^]*CHURCH_TIME_ZONE must be/);
    expect(outcome.stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });

  it('does not migrate a database unless asked', async () => {
    const [last] = await database.query<{ name: string; timestamp: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
    );
    expect(await offertory('user list')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('database migrate'),
    });
    await database.query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [last?.name, last?.timestamp]);
  });
});
