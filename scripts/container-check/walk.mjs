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

/** Where the pages are walked: what they tell a church's IT to type, in this order. */
const PAGES = [
  { page: 'docs/installing.md', heading: 'With Docker' },
  { page: 'docs/operating.md', heading: undefined },
  { page: 'docs/finance.md', heading: undefined },
  { page: 'docs/importing.md', heading: undefined },
];

/** What is not walked here, and why. */
const ELSEWHERE = [
  ['The embedded database', 'a container has none; test/life tries it'],
  ['Moving to PostgreSQL', 'the same'],
  ['Two roles for the database', 'roles.mjs goes that way at the end'],
  ['The log', 'it looks for calls that this walk has not made'],
];

/** What is walked after all other sections: ids continue with a gap after a restore, and the pages name small ones. */
const AT_THE_END = ['Restore', 'After a restore or a failover'];

/** What a processor exports. */
const EXPORTED = [
  'TransactionId,First,Last,Email,Phone,Amount,Date',
  'T-1,Ann,Lee,ann@example.org,901-555-0101,10.00,2026-07-26',
  'T-2,José,Lee,jose@example.org,901-555-0102,12.50,7/26/2026',
].join('\r\n');

const STAND_IN = fileURLToPath(new URL('compose-stand-in.mjs', import.meta.url));

/** Follows the operator's pages word by word in a clean clone, with a stand-in for docker and real everything else. */
export async function walkThePages(image, database, directory) {
  mkdirSync(directory);
  const clone = join(directory, 'clone');
  await step('a clean clone', () => {
    // By way of a branch: what is checked out here may be on none, and could not be pulled.
    const origin = join(directory, 'origin');
    execFileSync('git', ['clone', '--quiet', '.', origin]);
    execFileSync('git', ['checkout', '--quiet', '-B', 'released'], { cwd: origin });
    execFileSync('git', ['clone', '--quiet', origin, clone]);
  });
  const environment = await standIn(image, database, directory);
  const operator = { clone, environment, port: environment.port };
  try {
    for (const { page, section, command } of commandsToWalk(clone)) {
      await beforehand(operator, command, database);
      const output = await step(`${page}, ${section}: ${command}`, () => type(operator, command));
      await afterwards(operator, command, output);
    }
    await check('the books are those of the walk', async () => {
      const list = ['-c', 'docker compose exec -T api offertory bundle list --json'];
      const { stdout } = spawnSync('bash', list, shell(operator));
      assert.ok(JSON.parse(stdout).length > 0, stdout);
    });
    await walkTheRoles(operator);
    await check('the imported rows are told as recorded', () => {
      const result = readFileSync(join(clone, 'gifts.csv.result.csv'), 'utf8');
      assert.equal(result.match(/,recorded,/g)?.length, 2, result);
    });
  } finally {
    spawnSync('docker', ['compose', 'stop', 'api'], shell(operator));
  }
}

/** What the pages tell to type, in the order in which it is tried. */
function commandsToWalk(clone) {
  const commands = PAGES.flatMap(({ page, heading }) =>
    shellCommands(readFileSync(join(clone, page), 'utf8'), heading).map((command) => ({ page, ...command })),
  ).filter(({ section }) => !ELSEWHERE.some(([title]) => title === section));
  const isLate = ({ section }) => AT_THE_END.includes(section);
  return [...commands.filter((command) => !isLate(command)), ...commands.filter(isLate)];
}

/** The programs that the pages name, and the plan of the stand-in. */
async function standIn(image, { url, programs }, directory) {
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\nexec ${process.execPath} ${STAND_IN} "$@"\n`);
  chmodSync(join(bin, 'docker'), 0o755);
  const port = await freePort();
  const { hostname, port: databasePort, username, password } = new URL(url);
  const plan = join(directory, 'plan.json');
  const path = `${join(image.root, 'usr/local/bin')}:${dirname(process.execPath)}:/usr/bin:/bin`;
  writeFileSync(
    plan,
    JSON.stringify({
      directory,
      port,
      path,
      command: image.command,
      workdir: here(image, image.workdir),
      env: image.env,
      user: image.user ?? {},
      postgres: { PGHOST: hostname, PGPORT: databasePort, PGUSER: username, PGPASSWORD: password },
    }),
  );
  return { PATH: `${bin}:${programs}:${process.env.PATH}`, HOME: directory, COMPOSE_STAND_IN: plan, port };
}

/** What must be there, or have gone wrong, before somebody types that. */
async function beforehand({ clone }, command, { url }) {
  if (/ < gifts\.csv( |$)/.test(command)) writeFileSync(join(clone, 'gifts.csv'), EXPORTED);
  if (!/notification retry \d/.test(command)) return;
  await step('a notice that was given up', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query("UPDATE delivery SET status = 'failed', sent_at = NULL WHERE id = 1");
    } finally {
      await client.end();
    }
  });
}

/** What the page leaves to the reader, in words or in a comment. */
async function afterwards(operator, command, output) {
  if (command.startsWith('cp .env.example .env')) {
    const file = join(operator.clone, '.env');
    const settings = 'CHURCH_TIME_ZONE=America/Chicago\nFINANCE_EMAILS=office@example.org\n';
    const text = readFileSync(file, 'utf8').replace(/^POSTGRES_PASSWORD=$/m, 'POSTGRES_PASSWORD=walked');
    writeFileSync(file, `${text}\n${settings}`);
  }
  const [, username] = /offertory user create (\w+) --roles Developer/.exec(command) ?? [];
  if (username !== undefined) await processorAtWork(operator, username, passwordIn(output));
}

function passwordIn(output) {
  const [, password] = /^password +(\S+)$/m.exec(output) ?? [];
  assert.ok(password, `no password in: ${output}`);
  return password;
}

/** Gifts, and one that is taken back, so that the pages after it have something to show. */
async function processorAtWork({ port }, username, password) {
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
  await step(`${username} sends gifts, and takes one back`, async () => {
    const giver = { First: 'John', Last: 'Appleseed', Email: 'john@example.org', Phone: '901-555-0101' };
    const { ContributionId } = await call('AddContribution', { ...giver, Amount: '10.00' });
    await call('AddContribution', { ...giver, Amount: '12.50' });
    await call(`ReverseContribution/${ContributionId}/${username}`, {});
  });
}
