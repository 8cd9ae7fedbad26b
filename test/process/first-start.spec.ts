import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { noteSecret } from '../support/kept-logs.js';
import { runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';

const curlMissing = spawnSync('curl', ['--version']).error !== undefined;

/** The settings of one installation on the embedded database. */
let environment: Record<string, string>;
let service: ServiceProcess;

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'offertory-first-'));
  chmodSync(dataDir, 0o755);
  environment = { DATA_DIR: dataDir, CHURCH_TIME_ZONE: 'America/Chicago' };
  service = await startServiceProcess(environment);
  await until(() => service.output().includes('more users'));
});
afterAll(async () => {
  await service.end('SIGTERM');
  rmSync(environment['DATA_DIR'] ?? '', { recursive: true, force: true });
});

function printedCurls(): string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('curl '));
}

function mails(): string[] {
  const directory = join(environment['DATA_DIR'] ?? '', 'mail');
  return (existsSync(directory) ? readdirSync(directory) : []).filter((name) => name.endsWith('.eml'));
}

// Each test continues from the one before.
describe('the first start on the embedded database', () => {
  (curlMissing ? it.skip : it)('prints two curl commands that work unchanged (skipped only without curl)', async () => {
    const curls = printedCurls();
    expect(curls).toHaveLength(2);
    const [added, reversed] = curls.map((line): unknown =>
      JSON.parse(execFileSync('/bin/sh', ['-c', `${line} -s`], { encoding: 'utf8' })),
    );
    expect(added).toEqual({
      PeopleId: 1,
      ContributionId: 1,
      NewPerson: true,
      MultipleMatches: false,
      Source: 'txt2give',
    });
    expect(reversed).toEqual({
      operation: 'Reversal',
      peopleId: 1,
      contributionId: 1,
      source: 'API Reverse (source=txt2give)',
    });

    // Without any mail setting the greeting says where the notice to Finance is.
    const listing = service
      .output()
      .split('\n')
      .find((line) => line.startsWith('  ls '));
    await until(() => mails().length === 1);
    expect(execFileSync('/bin/sh', ['-c', listing ?? ''], { encoding: 'utf8' })).toContain(mails()[0]);
    const mail = await simpleParser(readFileSync(join(environment['DATA_DIR'] ?? '', 'mail', mails()[0] ?? '')));
    expect(mail.subject).toContain('txt2give');
    expect(mail.to).toMatchObject({ text: 'finance@localhost' });
    expect(mail.text).toContain('John Appleseed');
  });

  it('prints the address of the console, and a user of Finance who can log in there and sees the gift', async () => {
    const [, address = ''] = /open (\S+\/console) and log in/.exec(service.output()) ?? [];
    const [, username = '', password = ''] = /user name (\S+), password (\w{24})$/m.exec(service.output()) ?? [];
    noteSecret(password);
    expect([address, username]).toEqual([`${service.url}/console`, 'treasurer']);
    const answer = await fetch(`${address}/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: service.url, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ username, password }),
    });
    expect(answer.status).toBe(303);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const home = await fetch(address, { headers: { Cookie: cookie } });
    expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('USD 0.00, 1 gift')]);
  });

  it('prints the commands that the README shows', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const shown = readme.split('\n').filter((line) => line.startsWith('curl '));
    const general = (line: string): string =>
      line.replace(/api:\S+/, 'api:PASSWORD').replace(service.url, 'http://127.0.0.1:3000');
    expect(printedCurls().map(general)).toEqual(shown);
  });

  it('supports the command line beside the running service', async () => {
    const shown = await runProgram('cli', ['contribution', 'show', '1', '--json'], environment);
    expect(shown).toMatchObject({ code: 0 });
    expect(JSON.parse(shown.stdout)).toMatchObject({ contributionId: 1, status: 'Reversed', createdBy: 'api' });
    const listed = await runProgram('cli', ['user', 'list', '--json'], environment);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { username: 'api', roles: ['Developer', 'APIOnly', 'APIWrite'] },
      { username: 'treasurer', email: null, roles: ['Finance'] },
    ]);
    // The service still has its database server.
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  });

  it('restarts after kill -9, joins the database that still runs, and does not print the greeting again', async () => {
    await service.end('SIGKILL');
    service = await startServiceProcess(environment);
    expect(printedCurls()).toEqual([]);
    const shown = await runProgram('cli', ['contribution', 'show', '1', '--json'], environment);
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: 'Reversed' });
  });

  it('exits with 0 within 10 s of SIGTERM and stops the database', async () => {
    const begin = Date.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(Date.now() - begin).toBeLessThan(10_000);
    // The server removes this file when it stops in order.
    expect(readdirSync(join(environment['DATA_DIR'] ?? '', 'database'), {})).not.toContain('postmaster.pid');
  });

  it('supports the command line without a service, and leaves no server behind', async () => {
    const listed = await runProgram('cli', ['user', 'list', '--json'], environment);
    expect(listed).toMatchObject({ code: 0 });
    expect(readdirSync(join(environment['DATA_DIR'] ?? '', 'database'))).not.toContain('postmaster.pid');
  });
});
