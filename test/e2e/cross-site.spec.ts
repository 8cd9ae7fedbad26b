import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addedGift, readBack, rowCounts } from '../contract/gift-requests.js';
import { SECURITY_HEADERS } from '../support/security-headers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp();
});
afterAll(() => service.stop());

describe('a page of another site', () => {
  it.each(['cross-site', 'same-site'])('cannot make a browser reverse a gift (%s)', async (site) => {
    const { ContributionId } = await addedGift(service, {});
    const before = await rowCounts(service);
    const answer = await service.reverse(`${ContributionId}/a`).set('Sec-Fetch-Site', site).expect(403);
    expect(answer.headers).toMatchObject(SECURITY_HEADERS);
    expect(answer.body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('Sec-Fetch-Site') });
    expect(await rowCounts(service)).toEqual(before);
    expect(await readBack(service, ContributionId)).toMatchObject({ status: 'Recorded' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'cannot send a gift as %s, which browsers send without a preflight request',
    async (type) => {
      const post = service
        .http()
        .post('/Api/AddContribution')
        .auth(...service.login)
        .set('Content-Type', type);
      await post.send('{"First":"Ann"}').expect(415);
    },
  );

  it('gets no CORS headers in answer to a preflight request', async () => {
    const asked = await service
      .http()
      .options('/Api/AddContribution')
      .set({ Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' })
      .expect(405);
    const read = await service.read(1).set('Origin', 'https://elsewhere.example');
    for (const { headers } of [asked, read]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

type Headers = Readonly<Record<string, string>>;

/** Reverses a gift with these headers. @returns the status of the answer and the status of the gift. */
async function reversalWith(headers: Headers, on = service): Promise<[status: number, gift: unknown]> {
  const { ContributionId } = await addedGift(on, {});
  const before = await rowCounts(on);
  const answer = await on.reverse(`${ContributionId}/a`).set(headers);
  if (answer.status === 403) {
    const detail = expect.stringContaining('Origin');
    expect(answer.body).toMatchObject({ code: 'forbidden', detail, Error: detail });
    expect(await rowCounts(on)).toEqual(before);
  }
  return [answer.status, (await readBack(on, ContributionId))['status']];
}

const REVERSED = [200, 'Reversed'];
const REFUSED = [403, 'Recorded'];

describe('the header Origin', () => {
  it.each<[string, Headers]>([
    ['another host', { Origin: 'http://evil.example', Host: 'books.example' }],
    [
      'another host with Sec-Fetch-Site: same-origin',
      { Origin: 'http://evil.example', 'Sec-Fetch-Site': 'same-origin' },
    ],
    ['an opaque origin', { Origin: 'null', Host: 'books.example' }],
    ['an opaque origin, at a host named null', { Origin: 'null', Host: 'null' }],
    ['an empty string', { Origin: '', Host: 'books.example' }],
    ['a subdomain', { Origin: 'http://x.books.example', Host: 'books.example' }],
    ['the domain above', { Origin: 'http://example', Host: 'books.example' }],
    ['a longer name', { Origin: 'http://books.example.evil.example', Host: 'books.example' }],
    ['another port', { Origin: 'http://books.example:8080', Host: 'books.example' }],
    ['the port of the other scheme', { Origin: 'http://books.example:443', Host: 'books.example' }],
    ['the default port where the host has another', { Origin: 'https://books.example', Host: 'books.example:3000' }],
    ['a scheme other than HTTP and HTTPS', { Origin: 'chrome-extension://books.example', Host: 'books.example' }],
    ['a user name', { Origin: 'http://books.example@evil.example', Host: 'books.example' }],
    ['a path', { Origin: 'http://books.example/', Host: 'books.example' }],
    ['two origins', { Origin: 'http://books.example, http://evil.example', Host: 'books.example' }],
    ['a host without a scheme', { Origin: 'books.example', Host: 'books.example' }],
    [
      'the forwarded host of a proxy that is not trusted',
      { Origin: 'http://a.example', 'X-Forwarded-Host': 'a.example' },
    ],
  ])('that names %s is refused', async (_what, headers) => {
    expect(await reversalWith(headers)).toEqual(REFUSED);
  });

  it.each<[string, Headers]>([
    ['host and port', { Origin: 'http://books.example:3000', Host: 'books.example:3000' }],
    ['host and port, in another letter case', { Origin: 'HTTP://Books.Example:3000', Host: 'books.eXample:3000' }],
    [
      'host and port, behind a proxy that ends TLS',
      { Origin: 'https://books.example:8443', Host: 'books.example:8443' },
    ],
    ['the host, with the default port of HTTP', { Origin: 'http://books.example', Host: 'books.example' }],
    ['the host, with the default port of HTTPS', { Origin: 'https://books.example', Host: 'books.example' }],
    ['the host, with an explicit port 80 in Host', { Origin: 'http://books.example', Host: 'books.example:80' }],
    ['the host, with an explicit port 443 in Host', { Origin: 'https://books.example', Host: 'books.example:443' }],
    ['the host, with an explicit port 443 in Origin', { Origin: 'https://books.example:443', Host: 'books.example' }],
    ['an IPv6 address', { Origin: 'http://[::1]:3000', Host: '[::1]:3000' }],
  ])('that names %s of the service is accepted', async (_what, headers) => {
    expect(await reversalWith(headers)).toEqual(REVERSED);
  });

  it('is checked before credentials and routes', async () => {
    const headers = { Origin: 'http://evil.example' };
    await service.http().post('/Api/ReverseContribution/1/a').set(headers).expect(403);
    await service.http().post('/nowhere').set(headers).expect(403);
    await service.add().set(headers).expect(403);
  });

  it('is ignored by requests that change nothing', async () => {
    const { ContributionId } = await addedGift(service, {});
    await service.read(ContributionId).set('Origin', 'http://evil.example').expect(200);
    await service.http().get('/health/ready').set('Origin', 'null').expect(200);
  });
});

describe('a caller that is not a page of another site', () => {
  it.each([undefined, 'same-origin', 'none'])('may reverse a gift (Sec-Fetch-Site: %s)', async (site) => {
    const { ContributionId } = await addedGift(service, {});
    const reversal = service.reverse(`${ContributionId}/a`);
    await (site === undefined ? reversal : reversal.set('Sec-Fetch-Site', site)).expect(200);
  });

  it('may follow a link to a gift', async () => {
    const { ContributionId } = await addedGift(service, {});
    await service.read(ContributionId).set('Sec-Fetch-Site', 'cross-site').expect(200);
  });
});

// Last, because passport uses the service that was started last.
describe('behind a proxy that changes the Host header', () => {
  const atProxy = { Host: 'app:3000' };

  it.each<[string, Record<string, string>, Headers, readonly unknown[]]>([
    ['that is trusted', { TRUST_PROXY: '1' }, { 'X-Forwarded-Host': 'books.example' }, REVERSED],
    ['that is trusted by its address', { TRUST_PROXY: 'loopback' }, { 'X-Forwarded-Host': 'books.example' }, REVERSED],
    [
      'that is trusted, with another trusted proxy before it',
      { TRUST_PROXY: '2' },
      { 'X-Forwarded-Host': 'books.example, b' },
      REVERSED,
    ],
    ['and forwards another host', { TRUST_PROXY: '1' }, { 'X-Forwarded-Host': 'other.example' }, REFUSED],
    ['and forwards no host', { TRUST_PROXY: '1' }, {}, REFUSED],
    ['that is not trusted', {}, { 'X-Forwarded-Host': 'books.example' }, REFUSED],
    ['that is at another address', { TRUST_PROXY: '192.0.2.1' }, { 'X-Forwarded-Host': 'books.example' }, REFUSED],
    ['with PUBLIC_URL', { PUBLIC_URL: 'https://books.example' }, {}, REVERSED],
    ['with a PUBLIC_URL of the other scheme', { PUBLIC_URL: 'http://Books.Example/giving/' }, {}, REVERSED],
    ['with a PUBLIC_URL that has the port', { PUBLIC_URL: 'https://books.example:443' }, {}, REVERSED],
    ['with another PUBLIC_URL', { PUBLIC_URL: 'https://books.example:8443' }, {}, REFUSED],
  ])('%s', async (_what, settings, headers, outcome) => {
    const behind = await startTestApp(settings);
    try {
      const origin = { Origin: 'https://books.example' };
      expect(await reversalWith({ ...atProxy, ...headers, ...origin }, behind)).toEqual(outcome);
      // Callers other than browsers send no Origin: none of this affects them.
      expect(await reversalWith({ ...atProxy, ...headers }, behind)).toEqual(REVERSED);
    } finally {
      await behind.stop();
    }
  });
});
