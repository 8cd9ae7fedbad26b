import { execFile, spawnSync } from 'node:child_process';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/test-app.js';

/**
 * A client written strictly according to the documentation of the original push API. It knows the two calls and their
 * fields, checks whether the status is 200, and otherwise reads `Error`.
 */
interface OriginalClient {
  /** Sends a call with or without a body. Returns the status and the body of the answer. */
  post(path: string, body?: string): Promise<readonly [status: number, answer: Record<string, unknown>]>;
}

let service: TestApp;
let base: string;

beforeAll(async () => {
  service = await startTestApp({ CHURCH_TIME_ZONE: 'America/Chicago' });
  base = await service.app.getUrl();
});
afterAll(() => service.stop());

const noCurl = spawnSync('curl', ['--version']).error !== undefined;

/** `curl --user name:password --header … --data …` */
const curlWithUser: OriginalClient = {
  post: (path, body) => curl(path, ['--user', service.login.join(':')], body),
};

/** `curl --header "Authorization: Basic …"` */
const curlWithHeader: OriginalClient = {
  post: (path, body) => {
    const credentials = Buffer.from(service.login.join(':')).toString('base64');
    return curl(path, ['--header', `Authorization: Basic ${credentials}`], body);
  },
};

/** An old program: HTTP/1.1 with only the required headers, not even Accept. */
const program: OriginalClient = {
  post: async (path, body = '') => {
    const call = request(base + path, {
      method: 'POST',
      auth: service.login.join(':'),
      headers: {
        'Content-Length': Buffer.byteLength(body),
        ...(body !== '' && { 'Content-Type': 'application/json' }),
      },
    });
    const answer = new Promise<readonly [number, Record<string, unknown>]>((resolve, reject) => {
      call.once('error', reject);
      call.once('response', (response) => {
        text(response).then(
          (said) => resolve([response.statusCode ?? 0, JSON.parse(said) as Record<string, unknown>]),
          reject,
        );
      });
    });
    call.end(body);
    return answer;
  },
};

async function curl(
  path: string,
  options: readonly string[],
  body: string | undefined,
): Promise<readonly [number, Record<string, unknown>]> {
  const data = body === undefined ? [] : ['--header', 'Content-Type: application/json', '--data', body];
  const how = ['--silent', '--request', 'POST', '--write-out', '\n%{http_code}'];
  const { stdout } = await promisify(execFile)('curl', [...how, ...options, ...data, base + path]);
  const end = stdout.lastIndexOf('\n');
  return [Number(stdout.slice(end + 1)), JSON.parse(stdout.slice(0, end)) as Record<string, unknown>];
}

describe.each([
  ['curl --user', curlWithUser, noCurl],
  ['curl with a header of its own', curlWithHeader, noCurl],
  ['a program', program, false],
])('%s', (name, client, isMissing) => {
  const test = isMissing ? it.skip : it;
  const giver = `"First":"Ann","Last":"Lee ${name.replaceAll(/\W/g, '')}","Email":"ann@example.org","Phone":"901-555-0101"`;
  let peopleId: unknown;
  let contributionId: unknown;

  // Each test continues from the one before. They are skipped only if curl is not installed.
  test('records a gift of a new person, with the amount in quotes', async () => {
    const [status, answer] = await client.post('/Api/AddContribution', `{${giver},"Amount":"10.00"}`);
    expect([status, Object.keys(answer)]).toEqual([
      200,
      ['PeopleId', 'ContributionId', 'NewPerson', 'MultipleMatches', 'Source'],
    ]);
    expect(answer).toMatchObject({ NewPerson: true, MultipleMatches: false, Source: null });
    peopleId = answer['PeopleId'];
    contributionId = answer['ContributionId'];
  });

  test('records another gift with all fields, in the notations of the original', async () => {
    const more =
      '"Address":"1 Main St","Zip":38103,"Date":"7/26/2026 9:30 AM","Notes":"roof","Source":"txt2give","FundId":"1",' +
      '"PeopleId":0,"IgnoreUnknownPerson":"True","BundleTypeId":4,"ContributionTypeId":"1","Unknown":{"a":1}';
    const [status, answer] = await client.post('/api/addcontribution/', `{${giver},"Amount":25.5,${more}}`);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ PeopleId: peopleId, NewPerson: false, Source: 'txt2give' });
    const [gift] = await service.database.query(
      `SELECT amount, day::text, given_at AT TIME ZONE 'America/Chicago' = '2026-07-26 09:30' AS is_then
       FROM contribution WHERE id = $1`,
      [answer['ContributionId']],
    );
    expect(gift).toEqual({ amount: '25.50', day: '2026-07-26', is_then: true });
  });

  test('records the same gift twice without a key', async () => {
    const [[first, one], [second, two]] = [
      await client.post('/Api/AddContribution', `{${giver},"Amount":"5"}`),
      await client.post('/Api/AddContribution', `{${giver},"Amount":"5"}`),
    ];
    expect([first, second]).toEqual([200, 200]);
    expect(one['ContributionId']).not.toBe(two['ContributionId']);
  });

  test('reverses a gift, without a body and with one', async () => {
    const path = `/Api/ReverseContribution/${String(contributionId)}/txt2give`;
    expect(await client.post(path)).toEqual([
      200,
      {
        operation: 'Reversal',
        peopleId,
        contributionId,
        source: 'API Reverse (source=txt2give)',
      },
    ]);
    const [status, answer] = await client.post(path, '{}');
    expect([status === 200, answer['Error']]).toEqual([false, expect.stringContaining('already reversed')]);
  });

  test.each([
    ['a field is missing', () => `{"First":"Ann","Last":"Lee"}`, 'Amount'],
    [
      'nobody matches and no person may be created',
      () => `{${giver.replace('Ann', 'Nobody')},"Amount":"1","IgnoreUnknownPerson":true}`,
      'Nobody',
    ],
    ['the amount cannot be read', () => `{${giver},"Amount":"ten"}`, 'Amount'],
  ])('reads Error when %s', async (_what, body, mentioned) => {
    const [status, answer] = await client.post('/Api/AddContribution', body());
    expect(status).not.toBe(200);
    expect(answer['Error']).toEqual(expect.stringContaining(mentioned));
  });
});
