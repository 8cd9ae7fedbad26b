/* global fetch, Buffer, AbortSignal */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { shell, type } from './operator.mjs';
import { walkTheRoles } from './roles.mjs';
import { freePort } from './service.mjs';
import { shellCommands } from './shell-blocks.mjs';
import { here } from './stages.mjs';
import { check, step } from './steps.mjs';

/** The pages whose commands are run, in this order. */
const PAGES = [
  { page: 'docs/installing.md', heading: 'With Docker' },
  { page: 'docs/operating.md', heading: undefined },
  { page: 'docs/finance.md', heading: undefined },
  { page: 'docs/importing.md', heading: undefined },
];

/** The sections that are not run here, with the reason. */
const ELSEWHERE = [
  ['The embedded database', 'a container has none; test/life tests it'],
  ['Moving to PostgreSQL', 'the same'],
  ['The log', 'it searches for calls that are not made here'],
  ['Webhooks', 'they need a receiver on the internet; test/process/webhook-commands.spec.ts runs them'],
];

/** The sections to run last: ids continue with a gap after a restore, and the pages use small ids. */
const AT_THE_END = ['Restore', 'After a restore or a failover'];

/** A processor's export. */
const EXPORTED = [
  'TransactionId,First,Last,Email,Phone,Amount,Date',
  'T-1,Ann,Lee,ann@example.org,901-555-0101,10.00,2026-07-26',
  'T-2,José,Lee,jose@example.org,901-555-0102,12.50,7/26/2026',
].join('\r\n');

const STAND_IN = fileURLToPath(new URL('compose-stand-in.mjs', import.meta.url));

/** Runs the commands of the operator's pages unchanged in a clean clone. Only docker is replaced. */
export async function walkThePages(image, database, directory) {
  mkdirSync(directory);
  const clone = join(directory, 'clone');
  await step('a clean clone', () => {
    // The origin has a branch: a detached checkout like this one could not be pulled.
    const origin = join(directory, 'origin');
    execFileSync('git', ['clone', '--quiet', '.', origin]);
    execFileSync('git', ['checkout', '--quiet', '-B', 'released'], { cwd: origin });
    execFileSync('git', ['clone', '--quiet', origin, clone]);
  });
  const environment = await standIn(image, database, directory);
  const { port, testPort } = environment;
  const operator = { clone, environment, port, testPort };
  try {
    for (const { page, section, command } of commandsToWalk(clone)) {
      await beforehand(operator, command, database);
      const output = await step(`${page}, ${section}: ${command}`, () => type(operator, command));
      await afterwards(operator, command, output);
    }
    await check('the books have the bundles of this walk', async () => {
      const list = ['-c', 'docker compose exec -T api offertory bundle list --json'];
      const { stdout } = spawnSync('bash', list, shell(operator));
      assert.ok(JSON.parse(stdout).length > 0, stdout);
    });
    await check('the test system was emptied, and is a test system', async () => {
      const list = 'docker compose exec -T test offertory bundle list --json';
      const { stdout } = spawnSync('bash', ['-c', list], shell(operator));
      assert.deepEqual(JSON.parse(stdout), []);
      const answer = await fetch(`http://127.0.0.1:${testPort}/health/live`);
      assert.equal(answer.headers.get('x-offertory-mode'), 'test');
    });
    await walkTheRoles(operator);
    await check('the imported rows are reported as recorded', () => {
      const result = readFileSync(join(clone, 'gifts.csv.result.csv'), 'utf8');
      assert.equal(result.match(/,recorded,/g)?.length, 2, result);
    });
  } finally {
    spawnSync('docker', ['compose', 'stop', 'api', 'test'], shell(operator));
  }
}

/** The commands of the pages in the order in which they are run. */
function commandsToWalk(clone) {
  const commands = PAGES.flatMap(({ page, heading }) =>
    shellCommands(readFileSync(join(clone, page), 'utf8'), heading).map((command) => ({ page, ...command })),
  ).filter(({ section }) => !ELSEWHERE.some(([title]) => title === section));
  const isLate = ({ section }) => AT_THE_END.includes(section);
  return [...commands.filter((command) => !isLate(command)), ...commands.filter(isLate)];
}

/** Creates the replacement of docker and its plan. @returns the environment of the operator's shell. */
async function standIn(image, { url, programs }, directory) {
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\nexec ${process.execPath} ${STAND_IN} "$@"\n`);
  chmodSync(join(bin, 'docker'), 0o755);
  const [port, testPort] = [await freePort(), await freePort()];
  const { hostname, port: databasePort, username, password } = new URL(url);
  const plan = join(directory, 'plan.json');
  const path = `${join(image.root, 'usr/local/bin')}:${dirname(process.execPath)}:/usr/bin:/bin`;
  writeFileSync(
    plan,
    JSON.stringify({
      directory,
      port,
      testPort,
      path,
      command: image.command,
      workdir: here(image, image.workdir),
      env: image.env,
      user: image.user ?? {},
      postgres: { PGHOST: hostname, PGPORT: databasePort, PGUSER: username, PGPASSWORD: password },
    }),
  );
  return { PATH: `${bin}:${programs}:${process.env.PATH}`, HOME: directory, COMPOSE_STAND_IN: plan, port, testPort };
}

/** Prepares the files and faults that a command needs. */
async function beforehand({ clone }, command, { url }) {
  if (/ < gifts\.csv( |$)/.test(command)) writeFileSync(join(clone, 'gifts.csv'), EXPORTED);
  if (!/notification retry \d/.test(command)) return;
  await step('a failed notice', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query("UPDATE delivery SET status = 'failed', sent_at = NULL WHERE id = 1");
    } finally {
      await client.end();
    }
  });
}

/** Does what the page asks of the reader in words or in a comment. */
async function afterwards(operator, command, output) {
  if (command.startsWith('scripts/secrets.sh')) {
    const file = join(operator.clone, '.env');
    const settings = 'CHURCH_TIME_ZONE=America/Chicago\nFINANCE_EMAILS=office@example.org\n';
    const text = withPasswordsOfOneServer(readFileSync(file, 'utf8'));
    if (!text.includes(settings)) writeFileSync(file, `${text}\n${settings}`);
  }
  const [, service, username] = /exec (\w+) offertory user create (\w+) --roles Developer/.exec(command) ?? [];
  const port = service === 'test' ? operator.testPort : operator.port;
  if (username !== undefined) await processorAtWork(port, username, passwordIn(output));
}

/** The service and the test system share a server here, and so the passwords of its roles. */
function withPasswordsOfOneServer(text) {
  const valueOf = (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1];
  return text
    .replaceAll(/^((?:TEST_)?POSTGRES_PASSWORD)=.*$/gm, '$1=walked')
    .replaceAll(/^TEST_((?:OWNER|SERVICE)_PASSWORD)=.*$/gm, (_line, name) => `TEST_${name}=${valueOf(name)}`);
}

function passwordIn(output) {
  const [, password] = /^password +(\S+)$/m.exec(output) ?? [];
  assert.ok(password, `no password in: ${output}`);
  return password;
}

/** Sends gifts and reverses one, so that later pages have data to show. */
async function processorAtWork(port, username, password) {
  const call = async (path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}/Api/${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
  };
  await step(`${username} sends gifts and reverses one`, async () => {
    const giver = { First: 'John', Last: 'Appleseed', Email: 'john@example.org', Phone: '901-555-0101' };
    const { ContributionId } = await call('AddContribution', { ...giver, Amount: '10.00' });
    const payout = { Source: 'txt2give', PayoutId: 'po_1042', Fee: '0.50' };
    await call('AddContribution', { ...giver, Amount: '12.50', ...payout });
    await call(`ReverseContribution/${ContributionId}/${username}`, {});
  });
}
