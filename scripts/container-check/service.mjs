/* global fetch, Buffer, AbortSignal */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { eventually, run, start } from './container.mjs';
import { check, step } from './steps.mjs';

const FINANCE = 'finance@example.org';
const GIFT = { First: 'John', Last: 'Appleseed', Email: 'john@example.org', Phone: '901-555-0101', Amount: '10.00' };

/** Starts the image on an empty database and uses it as an operator and a donation processor would. */
export async function checkService(image, databaseUrl) {
  await check('the service does not start without DATABASE_URL, and says why', async () => {
    const { code, stderr } = await run(image, image.command);
    assert.equal(code, 1);
    assert.match(stderr, /DATABASE_URL/);
  });

  const port = String(await freePort());
  const environment = { DATABASE_URL: databaseUrl, PORT: port, FINANCE_EMAILS: FINANCE };
  const service = start(image, image.command, environment);
  try {
    await step('the service starts, and its HEALTHCHECK passes', async () => {
      await eventually('the health check', 60_000, async () => {
        if (service.child.exitCode !== null) return true;
        return (await run(image, image.healthcheck, { PORT: port })).code === 0;
      });
      assert.equal(service.child.exitCode, null, `it has exited:\n${service.output.stderr}`);
    });
    await check('the first start prints commands for the host, where npm is not needed', async () => {
      const command = /^ {2}docker compose exec api offertory user create treasurer --roles Finance /m;
      await eventually('the greeting', 10_000, () => command.test(service.output.stderr));
      assert.doesNotMatch(service.output.stderr, /npm run/);
    });
    await useService(image, environment, `http://127.0.0.1:${port}`);
    await check('the log is JSON, one entry per line', () => {
      const [first] = service.output.stdout.split('\n');
      assert.equal(JSON.parse(first).level, 'info');
    });
    await check('the service exits with code 0 within 10 s of SIGTERM', async () => {
      service.child.kill('SIGTERM');
      await eventually('its end', 10_000, () => service.child.exitCode !== null || service.child.signalCode !== null);
      assert.equal((await service.ended).code, 0, service.output.stderr);
    });
    await check('the HEALTHCHECK fails without the service', async () => {
      assert.equal((await run(image, image.healthcheck, { PORT: port })).code, 1);
    });
  } finally {
    service.child.kill('SIGKILL');
    await service.ended;
  }
}

async function useService(image, environment, url) {
  await check('the service is ready', async () => {
    assert.equal((await request(`${url}/health/ready`)).status, 200);
  });
  await check('the page and the document of the API are served, with all their files', async () => {
    assert.equal((await request(`${url}/openapi.json`)).answer.openapi, '3.1.1');
    const page = await (await fetch(`${url}/docs`)).text();
    const files = [...page.matchAll(/(?:src|href)="([.][^"]+)"/g)].map(([, path]) => path);
    assert.ok(files.length > 0);
    for (const path of files) assert.equal((await fetch(new URL(path, `${url}/docs`))).status, 200, path);
  });
  await check('all guides are served', async () => {
    const list = await (await fetch(`${url}/guides`)).text();
    const guides = [...list.matchAll(/href="\.\/guides\/(\w+)"/g)].map(([, name]) => name);
    assert.ok(guides.includes('integrating'));
    for (const name of guides) assert.equal((await fetch(`${url}/guides/${name}`)).status, 200, name);
  });
  await check('a call without credentials is refused', async () => {
    assert.equal((await request(`${url}/Api/AddContribution`, { body: GIFT })).status, 401);
  });
  const authorization = await step('`offertory user create` creates a user', async () => {
    const command = ['offertory', 'user', 'create', 'processor', '--roles', 'Developer,APIOnly,APIWrite', '--json'];
    const { code, stdout, stderr } = await run(image, command, environment);
    assert.equal(code, 0, stderr);
    const { username, password } = JSON.parse(stdout);
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  });
  const { PeopleId, ContributionId } = await step('AddContribution records a gift', async () => {
    const { status, answer } = await request(`${url}/Api/AddContribution`, { authorization, body: GIFT });
    assert.equal(status, 200, JSON.stringify(answer));
    const { PeopleId, ContributionId, ...rest } = answer;
    assert.deepEqual(rest, { NewPerson: true, MultipleMatches: false, Source: null });
    assert.ok(Number.isInteger(PeopleId) && Number.isInteger(ContributionId));
    return answer;
  });
  const reversal = `${url}/Api/ReverseContribution/${ContributionId}/txt2give`;
  await step('ReverseContribution reverses it once', async () => {
    const { status, answer } = await request(reversal, { authorization, body: {} });
    assert.equal(status, 200, JSON.stringify(answer));
    const source = 'API Reverse (source=txt2give)';
    assert.deepEqual(answer, { operation: 'Reversal', peopleId: PeopleId, contributionId: ContributionId, source });
    assert.equal((await request(reversal, { authorization, body: {} })).status, 409);
  });
  await check('the notice to Finance is written to the data directory', async () => {
    const mail = await eventually('the mail', 15_000, () => firstMail(join(image.env.DATA_DIR, 'mail')));
    assert.match(mail, new RegExp(`^To: <?${FINANCE}>?\\r?$`, 'm'));
  });
}

function firstMail(directory) {
  const name = existsSync(directory) && readdirSync(directory).find((file) => /^[^.].*\.eml$/.test(file));
  return name && readFileSync(join(directory, name), 'utf8');
}

async function request(url, { authorization, body } = {}) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(authorization !== undefined && { Authorization: authorization }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, answer: await response.json() };
}

/** A free local port. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
