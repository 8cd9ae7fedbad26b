import { isIPv4, isIPv6 } from 'node:net';
import { fault, read, type Reading } from '../reading.js';

/** An IP address. An IPv4 address that is mapped into IPv6 is IPv4. */
interface Address {
  readonly bits: bigint;
  /** The number of bits: 32 or 128. */
  readonly size: 32 | 128;
}

/** `::ffff:0:0/96`, the IPv6 addresses that stand for IPv4 addresses (RFC 4291, 2.5.5.2). */
const MAPPED = 0xffffn;
/** The network of one subscriber in IPv6, who has all of its addresses (RFC 6177). */
const SUBSCRIBER_BITS = 64;

const NETWORK_FAULT = 'must be an IP address or a network such as 203.0.113.0/24 or 2001:db8::/32';

/**
 * The address of a caller in its shortest form, without brackets, port and zone; an IPv4 address mapped into IPv6 as
 * IPv4. Undefined for any other text, because proxies pass on what callers sent: `unknown`, `_hidden`.
 */
export function clientAddress(text: string): string | undefined {
  const address = parseAddress(withoutPort(text));
  return address && textOf(address);
}

/**
 * The network of one caller: its IPv4 address, or the /64 of its IPv6 address such as `2001:db8:0:7::/64`. Undefined as
 * in {@link clientAddress}.
 */
export function clientNetwork(text: string): string | undefined {
  const address = parseAddress(withoutPort(text));
  if (address === undefined || address.size === 32) return address && textOf(address);
  return `${textOf({ ...address, bits: withoutHost(address, SUBSCRIBER_BITS) })}/${SUBSCRIBER_BITS}`;
}

/**
 * Reads a network in CIDR notation; an address is a network by itself. The value has the form that PostgreSQL's `cidr`
 * prints: `203.0.113.7/32`. A network with bits to the right of its mask is a fault, because it may be a typing error.
 */
export function readNetwork(text: string): Reading<string> {
  const { address: addressText = '', length: lengthText } =
    /^(?<address>[^/]+)(?:\/(?<length>0|[1-9]\d{0,2}))?$/.exec(text)?.groups ?? {};
  const plain = parsePlain(addressText);
  const length = lengthText === undefined ? plain?.size : Number(lengthText);
  if (plain === undefined || length === undefined || length > plain.size) return fault(NETWORK_FAULT);
  if (plain.bits !== withoutHost(plain, length)) {
    return fault(`must end at its mask: ${networkText({ ...plain, bits: withoutHost(plain, length) }, length)}`);
  }
  return read(networkText(plain, length));
}

function networkText(network: Address, length: number): string {
  const mapped = unmapped(network);
  // A part of the mapped addresses is a network of IPv4. All of IPv6 that contains them stays IPv6.
  if (mapped.size < network.size && length >= 96) return `${textOf(mapped)}/${length - 96}`;
  return `${textOf(network)}/${length}`;
}

/** Removes what proxies write around an address: `[2001:db8::1]:443`, `203.0.113.7:443`, and a zone such as `%eth0`. */
function withoutPort(text: string): string {
  const { bracketed, v4 } = /^(?:\[(?<bracketed>[^\]]*)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/.exec(text)?.groups ?? {};
  return (bracketed ?? v4 ?? text).replace(/%.*$/s, '');
}

function parseAddress(text: string): Address | undefined {
  const address = parsePlain(text);
  return address && unmapped(address);
}

function unmapped(address: Address): Address {
  if (address.size === 32 || address.bits >> 32n !== MAPPED) return address;
  return { bits: address.bits & 0xffff_ffffn, size: 32 };
}

function parsePlain(text: string): Address | undefined {
  if (isIPv4(text)) {
    return { bits: text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n), size: 32 };
  }
  if (!isIPv6(text) || text.includes('%')) return undefined;
  return { bits: groupsOf(text).reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n), size: 128 };
}

/** The eight groups of an IPv6 address. */
function groupsOf(text: string): string[] {
  const [head = [], tail = []] = shortest(text)
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

/** The shortest form of an IPv6 address, in groups only, as the URL standard writes it. */
function shortest(text: string): string {
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

function textOf({ bits, size }: Address): string {
  if (size === 32) return [24n, 16n, 8n, 0n].map((shift) => String((bits >> shift) & 0xffn)).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bits >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  return shortest(groups.join(':'));
}

function withoutHost({ bits, size }: Address, length: number): bigint {
  const host = BigInt(size - length);
  return (bits >> host) << host;
}
