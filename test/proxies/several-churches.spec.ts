import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentedBlocks } from '../life/documented-commands.js';
import { formTokenOf } from '../support/console.js';
import { noteSecret } from '../support/kept-logs.js';
import { MODE_HEADER } from '../support/mode.js';
import { findPostgresPrograms } from '../support/postgres-programs.js';
import { gift, type Login } from '../support/test-app.js';
import { until } from '../support/until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { type Answer, type Call, newCaller } from './callers.js';
import { MachineOfChurches } from './machine-of-churches.js';
import { PROXIES } from './proxies.js';
import { isInstalled } from './running-proxy.js';
import { basic, bodyOf, JSON_TYPE } from './stage.js';

const PAGE = 'several-churches.md';
const programs = findPostgresPrograms() ?? '';
const isPossible = programs !== '' && PROXIES.some((kind) => kind.name === 'Caddy' && isInstalled(kind));

/** The second church, as the page's reader adds it: what stands in place of the words of the first one. */
const HOPE: Readonly<Record<string, string>> = {
  grace: 'hope',
  Grace: 'Hope',
  '3001': '3002',
  '3101': '3102',
  'America/Chicago': 'Pacific/Auckland',
  '=US\n': '=NZ\n',
  '=USD': '=NZD',
};
const asHope = (block: string): string =>
  Object.entries(HOPE).reduce((text, [from, to]) => text.replaceAll(from, to), block);

interface ChurchUnderTest {
  readonly name: string;
  readonly domain: string;
  readonly title: string;
  readonly place: { readonly currency: string; readonly timeZone: string; readonly country: string };
  readonly block: (text: string) => string;
}

const GRACE: ChurchUnderTest = {
  ...{ name: 'grace', domain: 'giving.grace.example', title: 'Grace Church', block: (text) => text },
  place: { currency: 'USD', timeZone: 'America/Chicago', country: 'US' },
};
const HOPE_CHURCH: ChurchUnderTest = {
  ...{ name: 'hope', domain: 'giving.hope.example', title: 'Hope Church', block: asHope },
  place: { currency: 'NZD', timeZone: 'Pacific/Auckland', country: 'NZ' },
};
const CHURCHES = [GRACE, HOPE_CHURCH] as const;
const PAIRS = [
  { own: GRACE, other: HOPE_CHURCH },
  { own: HOPE_CHURCH, other: GRACE },
].map((pair) => ({ ...pair, from: pair.own.name, to: pair.other.name }));

const ADD = '/Api/AddContribution';
/** For tests that start services and commands as processes. */
const SLOW_MS = 240_000;

let machine: MachineOfChurches;
let receiver: WebhookReceiver;
const processors = new Map<ChurchUnderTest, Login>();
const treasurers = new Map<ChurchUnderTest, Login>();
const processorOf = (church: ChurchUnderTest): Login => processors.get(church) ?? ['', ''];
const treasurerOf = (church: ChurchUnderTest): Login => treasurers.get(church) ?? ['', ''];

/** A call from a new connection to a name; the certificate must be of that name. */
async function call(domain: string, options: Call): Promise<Answer> {
  const caller = newCaller('HTTP/1.1', machine.site(domain));
  try {
    return await caller.call(options);
  } finally {
    caller.close();
  }
}

const get = (church: ChurchUnderTest, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(church.domain, { path, headers });

function add(church: ChurchUnderTest, login: Login, fields: object, headers: object = {}): Promise<Answer> {
  const sent = { ...JSON_TYPE, ...basic(login), ...headers };
  return call(church.domain, { method: 'POST', path: ADD, headers: sent, body: JSON.stringify(fields) });
}

const giftsOf = async (church: ChurchUnderTest): Promise<number> =>
  (await machine.query(church.name, 'SELECT FROM contribution')).length;

/** Runs a command of a church as the page does. */
const offertory = ({ name }: ChurchUnderTest, command: string): Promise<string> =>
  machine.paste(`cd /srv/churches/${name}\ndocker compose exec api offertory ${command}\n`);

function passwordsIn(output: string): string[] {
  const passwords = [...output.matchAll(/^password +(\S+)$/gm)].map(([, password = '']) => password);
  for (const password of passwords) noteSecret(password);
  return passwords;
}

async function login(church: ChurchUnderTest): Promise<string> {
  const [username, password] = treasurerOf(church);
  const origin = `https://${church.domain}:${machine.port(443)}`;
  const { status, headers } = await call(church.domain, {
    ...{ method: 'POST', path: '/console/login', body: new URLSearchParams({ username, password }).toString() },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin },
  });
  expect(status).toBe(303);
  return headers['set-cookie']?.[0] ?? '';
}

(isPossible ? describe : describe.skip)(
  'docs/several-churches.md with processes (skipped only without Caddy or PostgreSQL programs)',
  () => {
    beforeAll(async () => {
      const names = CHURCHES.map(({ name }) => name);
      machine = await MachineOfChurches.start(names, [3001, 3101, 3002, 3102], programs);
      receiver = await WebhookReceiver.start();
      const [proxy = ''] = documentedBlocks('The proxy', PAGE);
      machine.clone(machine.directoryOfProxy);
      await machine.paste(proxy);
      // The page says that Caddy then runs and refuses every call.
      expect(await machine.plain(GRACE.domain, '/')).toMatchObject({ status: 403 });
      const [settings = '', start = '', tell = ''] = documentedBlocks('Add a church', PAGE);
      for (const church of CHURCHES) {
        machine.clone(machine.directoryOf(church.name));
        await machine.paste(church.block(settings));
        // The receiver of this test is on this machine.
        await machine.paste(`echo WEBHOOK_ALLOW_PRIVATE=1 >> /srv/churches/${church.name}/.env`);
        const output = await machine.paste(church.block(start));
        const [processor = '', treasurer = ''] = passwordsIn(output);
        expect(output).toContain('{"status":"ok"}');
        processors.set(church, ['txt2give', processor]);
        treasurers.set(church, ['treasurer', treasurer]);
        await machine.paste(church.block(tell));
        await until(() => isServed(church));
      }
    }, 2 * SLOW_MS);
    afterAll(async () => {
      await machine.stop();
      await receiver.stop();
    });

    /** Caddy makes the certificate in the background. */
    const isServed = ({ domain }: { readonly domain: string }): Promise<boolean> =>
      call(domain, { path: '/health/live' }).then(
        ({ status }) => status === 200,
        () => false,
      );

    describe.each(CHURCHES)('$name', (church) => {
      it('is what its domain leads to, with its name, currency, time zone and country', async () => {
        const answer = await get(church, '/Api/Church', basic(processorOf(church)));
        expect([answer.status, bodyOf(answer)]).toEqual([200, expect.objectContaining(church.place)]);
        expect((await get(church, '/')).text).toContain(church.title);
        expect(await add(church, processorOf(church), gift(church.name))).toMatchObject({ status: 200 });
        expect(
          await machine.query(church.name, `SELECT DISTINCT currency FROM contribution WHERE giver_email LIKE 'ann.%'`),
        ).toEqual([{ currency: church.place.currency }]);
      });

      it('shows neither metrics nor readiness, and no plain HTTP', async () => {
        for (const path of ['/metrics', '/health/ready'])
          expect([path, (await get(church, path)).status]).toEqual([path, 404]);
        const plain = await machine.plain(church.domain, '/health/live');
        expect([plain.status, plain.text]).toEqual([403, 'Use https.']);
      });
    });

    it('give each church other passwords, secrets, ports and a project of its own', () => {
      const [grace = {}, hope = {}] = CHURCHES.map(({ name }) => machine.settingsOf(name));
      const own = Object.keys(grace).filter((name) =>
        /PASSWORD|SECRET|PORT$|PROJECT_NAME|DOMAIN|CHURCH_NAME/.test(name),
      );
      expect(own.length).toBeGreaterThan(10);
      for (const name of own) expect([name, hope[name]]).toEqual([name, expect.not.stringMatching(`^${grace[name]}$`)]);
    });

    describe.each(PAIRS)('what belongs to $from, at $to', ({ own, other }) => {
      it(
        'is refused: a password and a token store nothing',
        async () => {
          const created = await offertory(own, 'token create txt2give --json');
          const { token } = JSON.parse(created) as { token: string };
          noteSecret(token);
          const [before, line] = [await giftsOf(other), machine.service(other.name).output().length];
          const credentials = [
            basic(processorOf(own)),
            basic(['txt2give', token]),
            { Authorization: `Bearer ${token}` },
            basic(treasurerOf(own)),
          ];
          const calls = [ADD, '/Api/AddContributions', '/Api/ReverseContribution/1/test', '/Api/Deposits'];
          for (const path of calls) {
            const [headers = {}] = credentials.splice(0, 1);
            const body = JSON.stringify(gift('across'));
            const answer = await call(other.domain, {
              method: 'POST',
              path,
              headers: { ...JSON_TYPE, ...headers },
              body,
            });
            expect([path, answer.status, bodyOf(answer)['code']]).toEqual([path, 401, 'unauthenticated']);
          }
          expect(await giftsOf(other)).toBe(before);
          // It was this service that refused them.
          expect(machine.service(other.name).output().slice(line)).toContain('"status":401');
          expect(await add(own, ['txt2give', token], gift(`token.${own.name}`))).toMatchObject({ status: 200 });
        },
        SLOW_MS,
      );

      it('is no session: the cookie of the console is for one host, and unknown at the other', async () => {
        const cookie = await login(own);
        expect(cookie).toMatch(/^__Host-offertory=[^;]+; .*Path=\/;.*HttpOnly; Secure/);
        expect(cookie).not.toMatch(/domain=/i);
        const headers = { Cookie: cookie.split(';')[0] ?? '' };
        const home = await get(own, '/console/account', headers);
        expect([home.status, formTokenOf(home.text)]).toEqual([200, expect.stringMatching(/./)]);
        const [stranger, across] = [
          await get(other, '/console/account'),
          await get(other, '/console/account', headers),
        ];
        expect([across.status, across.headers['location']]).toEqual([stranger.status, stranger.headers['location']]);
        expect(across.headers['location']).toContain('/console/login');
        const calls = { method: 'GET', path: '/Api/Bundles', headers } as const;
        expect((await call(other.domain, calls)).status).toBe(401);
      });

      it(
        'is not a webhook: a webhook receives the gifts of its own church only, and the other church does not list it',
        async () => {
          const path = `/${own.name}`;
          noteSecret(
            (
              JSON.parse(
                await offertory(own, `webhook create ${receiver.url(path)} --events contribution.recorded --json`),
              ) as { secret: string }
            ).secret,
          );
          const added = await add(own, processorOf(own), gift(`told.${own.name}`));
          await add(other, processorOf(other), gift(`untold.${other.name}`));
          await until(() => receiver.at(path).length > 0);
          const ids = receiver.at(path).map(({ content }) => content.data['contributionId']);
          expect(ids).toEqual([bodyOf(added)['ContributionId']]);
          expect((await get(other, '/Api/Webhooks', basic(treasurerOf(own)))).status).toBe(401);
          const listed = await get(other, '/Api/Webhooks', basic(treasurerOf(other)));
          expect([listed.status, listed.text.includes(receiver.url(path))]).toEqual([200, false]);
        },
        SLOW_MS,
      );
    });

    it('a TransactionId and an Idempotency-Key mean something at one church only', async () => {
      const identifiers = [
        [{ TransactionId: 'T-1', Source: 'txt2give' }, {}],
        [{}, { 'Idempotency-Key': 'one key for two churches' }],
      ] as const;
      for (const [fields, headers] of identifiers) {
        const answers = [];
        for (const [i, church] of CHURCHES.entries()) {
          const given = gift(`same${church.name}`, { Amount: `${i + 1}0.00`, ...fields });
          const before = await giftsOf(church);
          const [first, again] = [
            await add(church, processorOf(church), given, headers),
            await add(church, processorOf(church), given, headers),
          ];
          expect([first.status, first.headers['idempotency-replayed'] ?? 'no']).toEqual([200, 'no']);
          expect([again.status, bodyOf(again)]).toEqual([200, bodyOf(first)]);
          expect(await giftsOf(church)).toBe(before + 1);
          answers.push(first);
        }
        expect(answers).toHaveLength(2);
      }
    });

    it('a name that is no church gets nothing of either', async () => {
      const output = CHURCHES.map(({ name }) => machine.service(name).output());
      await expect(call('giving.nobody.example', { path: '/health/live' })).rejects.toThrow(/alert/);
      // The certificate of a church, and another host in the call.
      const Host = 'giving.nobody.example';
      const answer = await call(GRACE.domain, {
        method: 'POST',
        path: ADD,
        headers: { ...JSON_TYPE, Host },
        body: '{}',
      });
      expect([answer.status, answer.text]).toEqual([421, 'There is no such site here.']);
      expect(answer.headers).not.toHaveProperty('server');
      expect(await machine.plain(Host, ADD)).toMatchObject({ status: 403, text: 'Use https.' });
      expect(CHURCHES.map(({ name }) => machine.service(name).output())).toEqual(output);
    });

    it('the host of the call decides, also on a connection that was opened for the other church', async () => {
      const headers = { ...basic(processorOf(HOPE_CHURCH)), Host: HOPE_CHURCH.domain };
      const answer = await call(GRACE.domain, { path: '/Api/Church', headers });
      expect([answer.status, bodyOf(answer)]).toEqual([200, expect.objectContaining(HOPE_CHURCH.place)]);
      const wrong = { ...basic(processorOf(GRACE)), Host: HOPE_CHURCH.domain };
      expect((await call(GRACE.domain, { path: '/Api/Church', headers: wrong })).status).toBe(401);
    });

    it(
      'a church that is stopped gets 502 from Caddy, and the other one goes on',
      async () => {
        await machine.paste('cd /srv/churches/hope\ndocker compose stop\n');
        const before = await giftsOf(GRACE);
        for (let i = 0; i < 3; i++) {
          const down = await add(HOPE_CHURCH, processorOf(HOPE_CHURCH), gift(`down${i}`));
          expect([down.status, down.text]).toEqual([502, '502 Bad Gateway']);
          expect(down.headers).not.toHaveProperty('server');
          expect((await add(GRACE, processorOf(GRACE), gift(`up${i}`))).status).toBe(200);
        }
        expect(await giftsOf(GRACE)).toBe(before + 3);
        await machine.paste('cd /srv/churches/hope\ndocker compose start\n');
        expect((await add(HOPE_CHURCH, processorOf(HOPE_CHURCH), gift('back'))).status).toBe(200);
      },
      SLOW_MS,
    );

    it('a mistake in the file of a church is reported, and changes nothing', async () => {
      const file = join(machine.directoryOfProxy, 'sites/mistaken.caddy');
      writeFileSync(file, 'import chruch giving.mistaken.example 127.0.0.1:9\n');
      const [, , tell = ''] = documentedBlocks('Add a church', PAGE);
      await expect(machine.paste(tell)).rejects.toThrow(/chruch/);
      for (const church of CHURCHES) expect(await isServed(church)).toBe(true);
      await machine.paste('rm /srv/offertory-proxy/sites/mistaken.caddy');
    });

    it(
      'Backup: writes one of each church, with the gifts of that church only',
      async () => {
        const [block = ''] = documentedBlocks('Backup', PAGE);
        const printed = await machine.paste(block);
        expect(printed).not.toContain('NO BACKUP');
        for (const { own, other } of PAIRS) {
          const backups = join(machine.directoryOf(own.name), 'backups');
          const [dump = ''] = readdirSync(backups).filter((name) => name.endsWith('.dump'));
          expect(printed).toContain(join(backups, dump));
          const { stdout } = spawnSync(
            join(programs, 'pg_restore'),
            ['--data-only', '--file', '-', join(backups, dump)],
            {
              encoding: 'utf8',
              maxBuffer: 64 * 1024 * 1024,
            },
          );
          expect(stdout).toContain(`ann.${own.name}@example.org`);
          expect(stdout).not.toContain(`ann.${other.name}@example.org`);
        }
      },
      SLOW_MS,
    );

    it(
      'Upgrade: one church, then all, then the proxy, and each church works on',
      async () => {
        const [one = '', all = '', proxy = ''] = documentedBlocks('Upgrade', PAGE);
        const pid = machine.service('hope').pid;
        await machine.paste(one);
        expect(machine.service('hope').pid).toBe(pid);
        expect(await machine.paste(all)).not.toContain('NOT UPGRADED');
        expect(machine.service('hope').pid).not.toBe(pid);
        await machine.paste(proxy);
        for (const church of CHURCHES)
          expect((await add(church, processorOf(church), gift(`new.${church.name}`))).status).toBe(200);
      },
      SLOW_MS,
    );

    it(
      'A test system: has a name of its own, and refuses what belongs to the books',
      async () => {
        const [block = ''] = documentedBlocks('A test system', PAGE);
        await machine.paste(block);
        const site = { domain: 'test.giving.grace.example' };
        await until(() => isServed(site));
        const own = { ...GRACE, ...site };
        const live = await get(own, '/Api/Church', basic(processorOf(GRACE)));
        expect([live.status, live.headers[MODE_HEADER]]).toEqual([401, 'test']);
        expect((await get(GRACE, '/health/live')).headers).not.toHaveProperty(MODE_HEADER);
      },
      SLOW_MS,
    );

    it('Remove a church: its domain gets nothing, and the other one goes on', async () => {
      const [block = ''] = documentedBlocks('Remove a church', PAGE);
      await machine.paste(block);
      const { domain } = HOPE_CHURCH;
      const Host = domain;
      expect((await call(GRACE.domain, { path: '/health/live', headers: { Host } })).status).toBe(421);
      await expect(machine.query('hope', 'SELECT')).rejects.toThrow('hope has no database');
      expect((await add(GRACE, processorOf(GRACE), gift('alone'))).status).toBe(200);
      expect(readFileSync(join(machine.directoryOf('hope'), '.env'), 'utf8')).toContain('COMPOSE_PROJECT_NAME=hope');
    });
  },
);
