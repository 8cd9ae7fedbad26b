import { describe, expect, it } from '@jest/globals';
import { hostOf, readEndpointUrl } from './endpoint-url.js';

describe('the URL of an endpoint', () => {
  it.each([
    ['https://Example.ORG/hooks?a=b', 'https://example.org/hooks?a=b'],
    ['https://example.org:8443', 'https://example.org:8443/'],
    ['https://example.org/#part', 'https://example.org/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ])('%s is stored as %s', (text, stored) => {
    expect(readEndpointUrl(text, false)).toEqual({ value: stored });
  });

  it.each([
    ['example.org/hooks', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['http://example.org/', 'must begin with https://'],
    ['https://user@example.org/', 'must have no user name and no password'],
    [`https://example.org/${'x'.repeat(1_000)}`, 'must be at most 1000 characters long'],
  ])('%s is refused', (text, fault) => {
    expect(readEndpointUrl(text, false)).toEqual({ fault });
  });

  it('may be http if that is allowed', () => {
    expect(readEndpointUrl('http://10.0.0.1/', true)).toEqual({ value: 'http://10.0.0.1/' });
  });

  it.each([
    ['https://example.org/', 'example.org'],
    ['https://[::1]:8443/', '::1'],
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://0177.0.0.01/', '127.0.0.1'],
    ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ])('%s has the host %s', (text, host) => {
    expect(hostOf(new URL(text))).toBe(host);
  });
});
