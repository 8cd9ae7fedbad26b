import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressOf, pagePathOf, rootOf } from './addresses.js';

const segment = fc.stringMatching(/^[a-z0-9]{1,8}$/);

describe('the address of a page', () => {
  it('leads from every page to every other, whatever path a proxy adds in front', () => {
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 3 }),
        fc.array(segment, { maxLength: 4 }),
        fc.boolean(),
        fc.array(segment, { maxLength: 4 }),
        (front, from, slash, to) => {
          const prefix = front.map((part) => `/${part}`).join('');
          const path = `/${['console', ...from].join('/')}${slash ? '/' : ''}`;
          const target = `/${['console', ...to].join('/')}`;
          const base = `http://books.example.org${prefix}${path}`;
          expect(new URL(addressOf(rootOf(path), target), base).pathname).toBe(prefix + target);
        },
      ),
    );
  });

  it.each(['https://evil.example', '//evil.example', 'console', ''])('is not made of %j', (path) => {
    expect(() => addressOf('./', path)).toThrow('A path of this service begins with one slash');
  });
});

describe('the page after the login', () => {
  it.each([
    '/console',
    '/console/',
    '/console/bundles/12',
    '/console/gifts?q=a%40b&page=2',
    '/console/gifts?from=2026-01-01',
  ])('may be %s', (path) => {
    expect(pagePathOf(path)).toBe(path);
  });

  it.each([
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '/console/../Api/Bundles',
    '/console/..',
    '/console/%2e%2e/Api',
    '/console//evil.example',
    '/consoles',
    '/Api/Bundles',
    '/docs',
    'javascript:alert(1)',
    '/console/\r\nSet-Cookie: a=b',
    '/console/a b',
    '/console?\\',
    '/console#x',
    `/console?${'a'.repeat(2_000)}`,
    '',
    undefined,
    ['/console', '/console'],
  ])('is not %j', (text) => {
    expect(pagePathOf(text)).toBeUndefined();
  });

  it('is never on another host, whatever was sent', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.string().map((text) => `/console${text}`),
        ),
        (text) => {
          const path = pagePathOf(text);
          if (path === undefined) return;
          const { host, pathname } = new URL(path, 'http://books.example.org');
          expect([host, /^\/console(\/|$)/.test(pathname)]).toEqual(['books.example.org', true]);
        },
      ),
    );
  });
});
