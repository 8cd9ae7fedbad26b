import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GUIDES } from '../../src/guides/guides.js';
import { originOf } from '../support/console.js';
import { holdLock } from '../support/held-lock.js';
import { countLockWaits } from '../support/lock-waits.js';
import { SECURITY_HEADERS } from '../support/security-headers.js';
import { ROLES, startTestApp, type TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const DOCS = new URL('../../docs/', import.meta.url);
const CHURCH = {
  CHURCH_NAME: 'Église <b>Saint-Paul</b>',
  CHURCH_CURRENCY: 'EUR',
  CHURCH_TIME_ZONE: 'Europe/Paris',
  CHURCH_COUNTRY: 'FR',
};
const PAGES = ['/guides', ...GUIDES.map(({ name }) => `/guides/${name}`)];

let service: TestApp;

beforeAll(async () => {
  service = await startTestApp(CHURCH);
});
afterAll(() => service.stop());

/** A page as text. */
async function textAt(path: string, headers: Record<string, string> = {}, of = service): Promise<string> {
  return (await of.http().get(path).set(headers).expect(200)).text;
}

/** The code of a page, as a reader copies it. */
function codeIn(html: string): string[] {
  return [...html.matchAll(/<pre tabindex="0"><code>([^]*?)<\/code><\/pre>/g)].map(([, code = '']) =>
    code.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  );
}

/** The code of a file of docs/. */
function codeInMarkdown(file: string): string[] {
  const text = readFileSync(new URL(file, DOCS), 'utf8');
  return [...text.matchAll(/^( *)```[^\n]*\n([^]*?)\n\1```$/gm)].map(([, indent = '', code = '']) =>
    code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** An answer as it was sent, to a request with exactly these headers. */
async function received(
  path: string,
  headers: Record<string, string>,
): Promise<{ message: IncomingMessage; body: Buffer }> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path, headers }, resolve).on('error', reject);
  });
  return { message, body: Buffer.concat((await message.toArray()) as Buffer[]) };
}

describe('the guides', () => {
  it.each(PAGES)('are public pages with the policy of pages: %s', async (path) => {
    const { headers, text } = await service.http().get(path).expect(200);
    expect(headers).toMatchObject({
      ...SECURITY_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, max-age=300',
      'referrer-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("script-src 'self'; style-src 'self'"),
    });
    expect(headers).not.toHaveProperty('etag');
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text).toContain('Église &lt;b>Saint-Paul&lt;/b>');
    expect(text).not.toMatch(/ style=| on\w+=|<script>/);
  });

  it('are listed, each with what it is about, and lead to each other and to the page of all calls', async () => {
    const list = await textAt('/guides');
    for (const { name, label, about } of GUIDES) {
      expect(list).toContain(`<a href="./guides/${name}">${label}</a>`);
      expect(list).toContain(about);
    }
    expect(list).toContain('href="./docs"');
    expect(await textAt('/guides/webhooks')).toContain('<a href="../guides/webhooks" aria-current="page">Webhooks</a>');
  });

  it.each(['/', '/docs'])('are linked from %s', async (path) => {
    const text = await textAt(path);
    const hrefs = [...text.matchAll(/href="([^"]+)"/g)].map(
      ([, href = '']) => new URL(href, `http://a${path}`).pathname,
    );
    expect(hrefs).toContain('/guides');
  });

  it('have any letter case and one trailing slash in their address', async () => {
    const text = await textAt('/GUIDES/Webhooks/');
    expect(text).toContain('<a href="../../guides/webhooks" aria-current="page">');
    expect(await textAt('/guides/')).toContain('<a href="../guides/webhooks">');
  });

  it.each(GUIDES)('$label has the code of docs/$file, ready to copy', async ({ name, file }) => {
    const own = codeInMarkdown(file).map((code) =>
      code
        .replaceAll('https://giving.example.org', originOf(service))
        .replaceAll('"currency": "USD"', '"currency": "EUR"')
        .replaceAll('"timeZone": "UTC"', '"timeZone": "Europe/Paris"')
        .replaceAll('"country": "US"', '"country": "FR"'),
    );
    expect(codeIn(await textAt(`/guides/${name}`))).toEqual(own);
  });

  it('name files to save, escape text, and mark what scrolls as reachable by the keyboard', async () => {
    const text = await textAt('/guides/integrating');
    expect(text).toContain('<figure><figcaption>offertory.ts</figcaption><pre tabindex="0"><code>');
    expect(text).toContain('Promise&lt;Recorded>');
    expect(text).toMatch(
      /<div class="scrolls" role="group" aria-label="Table: Answer, What to do" tabindex="0"><table>/,
    );
  });

  it('compress well, and answer HEAD like GET', async () => {
    for (const path of PAGES) {
      const plain = await received(path, { 'Accept-Encoding': 'identity' });
      for (const [coding, unpack] of [['br', brotliDecompressSync] as const, ['gzip', gunzipSync] as const]) {
        const packed = await received(path, { 'Accept-Encoding': coding });
        expect(packed.message.headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept-Encoding' });
        expect(unpack(packed.body).equals(plain.body)).toBe(true);
        if (plain.body.length > 10_000) expect(packed.body.length).toBeLessThan(plain.body.length / 2);
      }
      const head = await service.http().head(path).set('Accept-Encoding', 'identity').expect(200);
      expect(head.headers['content-length']).toBe(String(plain.body.length));
      expect(head.text).toBeFalsy();
    }
  });

  it.each(['/guides/unknown', '/guides/constructor', '/guides/..%2fsecurity', '/guides/webhooks/more'])(
    'have a page for an unknown address: %s',
    async (path) => {
      const { text, headers } = await service.http().get(path).expect(404);
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
      expect(text).toContain('There is no page at this address.');
      expect(text).toMatch(/<a href="(\.\.\/)+guides">All guides<\/a>/);
    },
  );

  it('take only GET and HEAD', async () => {
    const { text, headers } = await service.http().post('/guides/webhooks').expect(405);
    expect(headers['allow']).toBe('GET, HEAD');
    expect(text).toContain('<h1>This is not a page</h1>');
  });

  it('are answered while gifts use all connections to the database', async () => {
    const busy = await startTestApp({ DATABASE_POOL_SIZE: '2' });
    const other = await busy.createUser('other', 'correct horse battery', ROLES);
    for (const login of [busy.login, other]) await busy.add({}, login).expect(200);
    const lock = await holdLock(busy.database.url, 'LOCK TABLE contribution', []);
    const gifts = [busy.add(), busy.add({}, other)].map(async (call) => (await call).status);
    try {
      await until(async () => (await countLockWaits(busy.database)) === 2);
      for (const path of PAGES) await busy.http().get(path).expect(200);
      expect(await countLockWaits(busy.database)).toBe(2);
    } finally {
      await lock.release();
    }
    expect(await Promise.all(gifts)).toEqual([200, 200]);
    await busy.stop();
  });
});

describe('the examples', () => {
  it('have the address, the currency, the time zone and the country of this church', async () => {
    const text = await textAt('/guides/integrating');
    expect(text).toContain(`export OFFERTORY=${originOf(service)} `);
    expect(text).toContain('"timeZone": "Europe/Paris"'.replaceAll('"', '&quot;'));
    expect(text).toContain(`<dt>Address of this service</dt><dd><code>${originOf(service)}</code></dd>`);
    expect(text).toContain('<dt>Currency</dt><dd>EUR</dd>');
    for (const path of PAGES) expect(await textAt(path)).not.toContain('giving.example.org');
  });

  it('have PUBLIC_URL and BASE_PATH, whatever host a request names', async () => {
    const settings = { PUBLIC_URL: 'https://gifts.example.com/x', BASE_PATH: '/giving' };
    const other = await startTestApp(settings, { database: service.database });
    const text = await textAt('/giving/guides/integrating', { Host: 'evil.example' }, other);
    expect(text).toContain('export OFFERTORY=https://gifts.example.com/giving ');
    expect(text).not.toContain('evil.example');
    await other.stop();
  });

  it('have the address that a trusted proxy forwards', async () => {
    const other = await startTestApp({ TRUST_PROXY: '1' }, { database: service.database });
    const forwarded = { 'X-Forwarded-Host': 'books.example.com', 'X-Forwarded-Proto': 'https' };
    expect(await textAt('/guides/webhooks', forwarded, other)).toContain('<code>https://books.example.com</code>');
    await other.stop();
  });

  it('have amounts without decimals if the currency has none', async () => {
    const other = await startTestApp({ CHURCH_CURRENCY: 'JPY' }, { database: service.database });
    const text = await textAt('/guides/integrating', {}, other);
    expect(text).toContain('<dt>Currency</dt><dd>JPY, amounts without decimals</dd>');
    const [first = ''] = codeIn(text).filter((code) => code.includes('"T-1001"'));
    expect(first).toContain('"Amount": "1000"');
    const body = JSON.parse(/'(\{[^]*\})'/.exec(first)?.[1] ?? '') as object;
    await other.add(body).expect(200);
    expect(codeIn(text).join('\n')).not.toMatch(/"\d+\.\d\d"|amount=\d+\.\d/);
    await other.stop();
  });

  it('never have the host of another request', async () => {
    const forged = await received('/guides/integrating', { Host: 'evil.example' });
    expect(forged.body.toString()).toContain('http://evil.example');
    expect(forged.message.headers['cache-control']).toBe('private, max-age=300');
    expect(await textAt('/guides/integrating')).not.toContain('evil.example');
  });

  it.each([
    ...['$(reboot)', '`reboot`', 'a;reboot', "a'b", 'a"b', 'a&b', '<script>', 'a b', 'user@evil.example'],
    ...['evil.example/"><script>alert(1)</script>', '$&', '{{x}}'],
  ])('have no part of the host %j, which a shell or a browser would interpret', async (host) => {
    const { message, body } = await received('/guides/integrating', { Host: host });
    expect(message.statusCode).toBe(200);
    expect(body.toString()).toContain('export OFFERTORY=https://giving.example.org ');
    expect(body.toString()).not.toMatch(/reboot|evil|alert/);
  });
});

describe('the links', () => {
  const ids = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);

  it.each(PAGES)('of %s lead to pages and headings that exist', async (path) => {
    const text = await textAt(path);
    expect(ids(text)).toEqual([...new Set(ids(text))]);
    const broken: string[] = [];
    for (const href of new Set([...text.matchAll(/href="([^"]+)"/g)].map(([, one = '']) => one))) {
      const { origin, pathname, hash } = new URL(href, `http://a${path}`);
      if (origin !== 'http://a') {
        if (origin !== 'https://www.standardwebhooks.com') broken.push(href);
        continue;
      }
      const { status, text: target } = await service.http().get(pathname);
      if (status !== 200 || (hash !== '' && !ids(target).includes(hash.slice(1)))) broken.push(href);
    }
    expect(broken).toEqual([]);
  });

  it.each(GUIDES)('of docs/$file that are not shown lead to source files only', ({ file }) => {
    const text = readFileSync(new URL(file, DOCS), 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
    const linked = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href.split('#')[0] ?? '');
    const files = linked.filter((href) => href !== '' && !href.startsWith('https:'));
    const pages = files.map((href) => new URL(href, new URL(file, DOCS)).pathname);
    const shown = GUIDES.map((guide) => new URL(guide.file, DOCS).pathname);
    expect(pages.filter((page) => page.endsWith('.md') && !shown.includes(page))).toEqual([]);
  });
});
