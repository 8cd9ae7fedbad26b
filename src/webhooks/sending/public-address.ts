import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not the public internet: IANA's registry of special-purpose addresses, and multicast. */
const NOT_PUBLIC_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Of IPv6, only this network is the public internet, */
const GLOBAL_IPV6 = ['2000::', 3] as const;

/** without these parts of it: special purposes, documentation, and ways to IPv4 (Teredo, 6to4). */
const NOT_PUBLIC_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const refusedIpv4 = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_IPV4) refusedIpv4.addSubnet(network, prefix, 'ipv4');

const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');

const refusedIpv6 = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_IPV6) refusedIpv6.addSubnet(network, prefix, 'ipv6');

/**
 * Whether an IP address is on the public internet. All others are refused: private and loopback ones, link-local ones such as
 * those of clouds' metadata, and IPv6 addresses that stand for an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !refusedIpv4.check(address, 'ipv4');
    case 6:
      return globalIpv6.check(address, 'ipv6') && !refusedIpv6.check(address, 'ipv6');
    default:
      return false;
  }
}
