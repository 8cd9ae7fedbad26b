import { BlockList } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFault } from '../reading.js';
import { clientAddress, clientNetwork, readNetwork } from './ip-network.js';

const V4 = fc.ipV4();
const V6 = fc.ipV6().filter((text) => clientAddress(text)?.includes(':') === true);

describe('clientAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    ['::', '::'],
  ])('reads %s as %s', (text, address) => {
    expect(clientAddress(text)).toBe(address);
  });

  it.each(['', 'unknown', '_hidden', '999.0.0.1', '1.2.3', '2001:db8::1::2', '[1.2.3.4', '1.2.3.4:port', '1.2.3.4/24'])(
    'finds no address in %j',
    (text) => {
      expect(clientAddress(text)).toBeUndefined();
    },
  );

  it('gives the same address whatever a proxy writes around it', () => {
    fc.assert(
      fc.property(V4, fc.integer({ min: 0, max: 65_535 }), (address, port) => {
        const written = [
          `${address}:${port}`,
          `::ffff:${address}`,
          `[::ffff:${address}]`,
          `[::ffff:${address}]:${port}`,
        ];
        expect(written.map(clientAddress)).toEqual(written.map(() => address));
      }),
    );
    fc.assert(
      fc.property(V6, fc.integer({ min: 0, max: 65_535 }), (address, port) => {
        const [first, ...others] = [address, `[${address}]`, `[${address}]:${port}`, `${address}%eth0`].map(
          clientAddress,
        );
        expect(others).toEqual(others.map(() => first));
      }),
    );
  });
});

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.7:51234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2:ffff::]:443', '2001:db8:1:2::/64'],
    ['2001:db8:1:3:3:4:5:6', '2001:db8:1:3::/64'],
    ['unknown', undefined],
  ])('of %s is %s', (text, network) => {
    expect(clientNetwork(text)).toBe(network);
  });
});

describe('readNetwork', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ])('reads %s as %s', (text, network) => {
    expect(readNetwork(text)).toEqual({ value: network });
  });

  it.each(['', '/24', '203.0.113.0/33', '2001:db8::/129', '203.0.113.0/', '203.0.113.0/024', '203.0.113.0/24/8'])(
    'refuses %j',
    (text) => {
      expect(readNetwork(text)).toEqual({ fault: expect.stringMatching(/^must be an IP address or a network/) });
    },
  );

  it.each(['localhost', '203.0.113', '[2001:db8::]/32', 'fe80::1%eth0/64', '203.0.113.7:80', ' 203.0.113.7'])(
    'refuses the text %j',
    (text) => {
      expect(isFault(readNetwork(text))).toBe(true);
    },
  );

  it('refuses bits to the right of the mask, and names the network that has them', () => {
    expect(readNetwork('203.0.113.7/24')).toEqual({ fault: 'must end at its mask: 203.0.113.0/24' });
    expect(readNetwork('2001:db8::1/64')).toEqual({ fault: 'must end at its mask: 2001:db8::/64' });
  });

  it('names a network with the addresses that were meant, by Node’s own list of networks', () => {
    fc.assert(
      fc.property(V4, fc.integer({ min: 1, max: 32 }), V4, (address, length, other) => {
        const list = new BlockList();
        list.addSubnet(address, length, 'ipv4');
        const reading = readNetwork(`${address}/${length}`);
        const named = isFault(reading) ? reading.fault.replace(/^.*: /, '') : reading.value;
        const [network = '', bits] = named.split('/');
        expect(Number(bits)).toBe(length);
        const same = new BlockList();
        same.addSubnet(network, length, 'ipv4');
        for (const one of [address, other]) expect([one, same.check(one)]).toEqual([one, list.check(one)]);
      }),
    );
    fc.assert(
      fc.property(V6, fc.integer({ min: 1, max: 95 }), V6, (address, length, other) => {
        const list = new BlockList();
        list.addSubnet(address, length, 'ipv6');
        const reading = readNetwork(`${address}/${length}`);
        const named = isFault(reading) ? reading.fault.replace(/^.*: /, '') : reading.value;
        const same = new BlockList();
        same.addSubnet(named.split('/')[0] ?? '', length, 'ipv6');
        for (const one of [address, other])
          expect([one, same.check(one, 'ipv6')]).toEqual([one, list.check(one, 'ipv6')]);
      }),
    );
  });
});
