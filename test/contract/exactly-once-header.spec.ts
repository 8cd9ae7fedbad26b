import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RawConnection } from '../support/raw-http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { addedGift, type Problem, refusal, rowCounts } from './gift-requests.js';
import { completeGift, reverseUnder } from './repeated-requests.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

describe('the header Idempotency-Key', () => {
  /** Sends a gift with these header lines, byte for byte. */
  async function send(lines: readonly string[], body: string): Promise<[number, Problem, string | undefined]> {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const head = [
      'POST /Api/AddContribution HTTP/1.1',
      'Host: x',
      `Authorization: Basic ${Buffer.from(service.login.join(':')).toString('base64')}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...lines,
    ];
    const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
    const answer = await new RawConnection(port).exchange(bytes, { last: true });
    if (answer === undefined) throw new Error('The line was cut');
    return [answer.status, JSON.parse(answer.text) as Problem, answer.headers.get('idempotency-replayed')];
  }

  const LONGEST = `${'x'.repeat(254)}"`;

  it.each([
    ['plain', 'Idempotency-Key: a1b2-C3', 'Idempotency-Key: "a1b2-C3"'],
    ['with a quote', 'Idempotency-Key: with"quote', 'Idempotency-Key: "with\\"quote"'],
    ['with a backslash', 'Idempotency-Key: with\\backslash', 'Idempotency-Key: "with\\\\backslash"'],
    ['with a space', 'Idempotency-Key: with space', 'Idempotency-Key: "with space"'],
    ['of one character', 'Idempotency-Key: ~', 'Idempotency-Key: "~"'],
    ['of 255 characters', `Idempotency-Key: ${LONGEST}`, `Idempotency-Key: "${LONGEST.replace('"', '\\"')}"`],
    ['with space around it', 'Idempotency-Key: \t around \t', 'Idempotency-Key:around'],
    ['with the header name in another letter case', 'IDEMPOTENCY-KEY: name', 'idempotency-key: name'],
  ])('has the same value bare and quoted: %s', async (_what, one, two) => {
    const body = JSON.stringify(completeGift());
    expect(await send([one], body)).toEqual([200, expect.objectContaining({ NewPerson: true }), undefined]);
    expect(await send([two], body)).toEqual([200, expect.objectContaining({ NewPerson: true }), 'true']);
  });

  it.each([
    ['letter case', 'Case', 'case'],
    ['a space within the quotes', '"space"', '"space "'],
    ['single quotes', 'single', "'single'"],
    ['a prefix', 'prefix', 'prefix1'],
  ])('distinguishes keys by %s', async (_what, one, two) => {
    const body = JSON.stringify(completeGift());
    await send([`Idempotency-Key: ${one}`], body);
    expect(await send([`Idempotency-Key: ${two}`], body)).toEqual([
      200,
      expect.objectContaining({ NewPerson: false }),
      undefined,
    ]);
  });

  it.each([
    ['nothing', ['Idempotency-Key:']],
    ['white space', ['Idempotency-Key:  \t ']],
    ['an empty pair of quotes', ['Idempotency-Key: ""']],
    ['256 characters', [`Idempotency-Key: ${'x'.repeat(256)}`]],
    ['256 characters in quotes', [`Idempotency-Key: "${'x'.repeat(256)}"`]],
    ['a letter that is not ASCII', ['Idempotency-Key: caf\u{E9}']],
    ['UTF-8', [`Idempotency-Key: ${Buffer.from('\u{1F600}').toString('latin1')}`]],
    ['a tab', ['Idempotency-Key: a\tb']],
    ['two lines', ['Idempotency-Key: a', 'Idempotency-Key: b']],
    ['one line twice', ['Idempotency-Key: a', 'idempotency-key: a']],
  ])('is refused with %s', async (_what, lines) => {
    const before = await rowCounts(service);
    const [status, problem] = await send(lines, JSON.stringify(completeGift()));
    expect([status, problem.code, problem.errors?.map(({ field }) => field)]).toEqual([
      400,
      'invalid_request',
      ['Idempotency-Key'],
    ]);
    expect(await rowCounts(service)).toEqual(before);
  });

  it.each(['\u{0}', '\u{1}', '\u{1B}[31m', 'a\rb', '\u{7F}'])(
    'is refused with the control character in %j',
    async (key) => {
      const before = await rowCounts(service);
      const [status, problem] = await send([`Idempotency-Key: a${key}b`], JSON.stringify(completeGift()));
      expect([status, problem.code]).toEqual([400, 'invalid_request']);
      expect(await rowCounts(service)).toEqual(before);
    },
  );

  it.each(['', '""', 'x'.repeat(256)])('is refused with %j for a reversal as well', async (key) => {
    const gift = (await addedGift(service, {})).ContributionId;
    const problem = await refusal(service, () => reverseUnder(service, key, `${gift}/a`), 400, 'invalid_request');
    expect(problem.errors?.map(({ field }) => field)).toEqual(['Idempotency-Key']);
  });
});
