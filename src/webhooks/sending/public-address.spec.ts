import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.js';

const byte = fc.integer({ min: 0, max: 255 });
const group = fc.integer({ min: 0, max: 0xffff });
const hex = (groups: readonly number[]): string => groups.map((one) => one.toString(16)).join(':');

/** The number of an IPv4 address. */
const numberOf = (bytes: readonly number[]): number => bytes.reduce((sum, one) => sum * 256 + one, 0);

/** The networks of IPv4 that are refused, as the ranges of their first and last addresses. */
const REFUSED = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
].map((range) => range.map((address) => numberOf(address.split('.').map(Number))));

const isRefused = (address: number): boolean => REFUSED.some(([from = 0, to = 0]) => address >= from && address <= to);

const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');

describe('a public address', () => {
  it('of IPv4 is outside of the networks for special purposes, for any address', () => {
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
        expect(isPublicAddress(bytes.join('.'))).toBe(!isRefused(numberOf(bytes)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('of IPv4 is just below and above such a network, and not at its ends', () => {
    for (const [from = 0, to = 0] of REFUSED) {
      for (const address of [from, to])
        expect([dotted(address), isPublicAddress(dotted(address))]).toEqual([dotted(address), false]);
      for (const address of [from - 1, to + 1].filter((one) => one >= 0 && one <= 0xffffffff)) {
        expect([dotted(address), isPublicAddress(dotted(address))]).toEqual([dotted(address), !isRefused(address)]);
      }
    }
  });

  it('of IPv6 is within 2000::/3', () => {
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const [first = 0] = groups;
        if (first < 0x2000 || first > 0x3fff) expect(isPublicAddress(hex(groups))).toBe(false);
        // Networks for special purposes begin with one of these groups.
        else if (![0x2001, 0x2002, 0x2620, 0x3fff].includes(first)) expect(isPublicAddress(hex(groups))).toBe(true);
      }),
    );
  });

  it('is none of IPv6 that stands for an IPv4 address, for any such address', () => {
    fc.assert(
      fc.property(group, group, (high, low) => {
        const inner = hex([high, low]);
        for (const prefix of ['::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:']) {
          expect(isPublicAddress(prefix + inner)).toBe(false);
        }
        expect(isPublicAddress(`2002:${inner}::1`)).toBe(false);
        expect(isPublicAddress(`2001:0:${inner}::1`)).toBe(false);
      }),
    );
  });

  it.each([
    ...[
      '8.8.8.8',
      '1.1.1.1',
      '172.15.255.255',
      '172.32.0.1',
      '100.128.0.1',
      '2606:4700::1111',
      '2a00:1450:4001:800::200e',
    ],
    ...['2001:4860:4860::8888', '2620:fe::fe'],
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...[
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '2001:db8::1',
      '3fff::1',
      '100::1',
    ],
    ...['::ffff:127.0.0.1', '169.254.169.254', 'fec0::1', '5f00::1', '2620:4f:8000::1', 'localhost', '', '127.1'],
  ])('is not %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
