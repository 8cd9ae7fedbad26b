import { isIP } from 'node:net';
import { isEmail, isFQDN } from 'class-validator';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { IANAZone } from 'luxon';
import type { SlashDates } from '../values/index.js';
import { VariableFault } from './environment-reader.js';
import { type MinorUnits, minorUnitsOf, MAX_DECIMALS_IN_WORDS } from '../values/index.js';

/** A whole number between two bounds. */
export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new VariableFault(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

/** A port, 0 for any free one, or the word "off". */
export function portOrOff(text: string): number | 'off' {
  if (text.toLowerCase() === 'off') return 'off';
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535) {
    throw new VariableFault('must be a whole number from 0 to 65535, or off');
  }
  return value;
}

/** A number above 0 and up to 1, such as 0.01. */
export function factor(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0 || value > 1) {
    throw new VariableFault('must be a number above 0 and up to 1, such as 0.01');
  }
  return value;
}

/** One of a few words. */
export function oneOf<const T extends string>(...words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((candidate) => candidate === text.toLowerCase());
    if (word === undefined) throw new VariableFault(`must be one of ${words.join(', ')}`);
    return word;
  };
}

/** A URL with one of the given schemes, such as `postgres:`. */
export function urlOf(...schemes: readonly string[]): (text: string) => string {
  return (text) => {
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    // A Unix socket is named in the query: postgresql:///offertory?host=/run/postgresql
    const namesHost = parsed !== undefined && (parsed.hostname !== '' || parsed.searchParams.has('host'));
    if (!namesHost || !schemes.includes(parsed.protocol)) {
      throw new VariableFault(
        `must be a URL that starts with ${schemes.map((s) => `${s}//`).join(' or ')} and names a host`,
      );
    }
    if (hasMisplacedCredentials(parsed)) {
      throw new VariableFault('must have @ / ? # in its user name or password written as %40 %2F %3F %23');
    }
    if (!isDecodable(parsed.username) || !isDecodable(parsed.password)) {
      throw new VariableFault('must have a % in its user name or password written as %25');
    }
    return text;
  };
}

/**
 * Whether an unescaped / ? or # in the password ended the host part of the URL too early. Then the @ is in the path,
 * query or fragment, and a part of the password would be read as the host, which the log names.
 */
function hasMisplacedCredentials({ pathname, search, hash }: URL): boolean {
  return pathname.includes('@') || /^\?[^=&]*@/.test(search) || hash.includes('@');
}

/** The HTTP or HTTPS address that callers use; it may have a path. */
export function publicUrl(text: string): string {
  const url = urlOf('http:', 'https:')(text);
  const { username, password, search, hash } = new URL(url);
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw new VariableFault(
      'must be an address without user name, query or fragment, such as https://giving.example.org',
    );
  }
  return url;
}

/** URL parameters that would override settings the transactions rely on (src/database/sessions/connection.ts). */
const RESERVED_PARAMETERS = ['options', 'statement_timeout', 'lock_timeout', 'query_timeout'];

/** The URL of a PostgreSQL database. */
export function databaseUrl(text: string): string {
  const url = urlOf('postgres:', 'postgresql:')(text);
  const reserved = RESERVED_PARAMETERS.filter((name) => new URL(url).searchParams.has(name));
  if (reserved.length > 0) {
    throw new VariableFault(
      `must be without ${reserved.join(', ')}: the service has settings of its own for its sessions`,
    );
  }
  return url;
}

/** `/some/path`: a missing leading slash is added, a trailing slash is removed. */
export function basePath(text: string): string {
  const path = `/${text.replace(/^\/+|\/+$/g, '')}`;
  if (path === '/') return '';
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(path) || /\/\.{1,2}(\/|$)/.test(path))
    throw new VariableFault('must be a path such as /giving');
  return path;
}

/** A host name. */
export function domain(text: string): string {
  if (!isFQDN(text, { require_tld: false })) throw new VariableFault('must be a domain such as giving.example.org');
  return text;
}

/** Host names, comma-separated. */
export function hostNames(text: string): string[] {
  const list = commaSeparated(text);
  if (!list.every((name) => isFQDN(name, { require_tld: false, allow_underscores: true }))) {
    throw new VariableFault('must be host names, separated by commas');
  }
  return list;
}

/** A number of proxies, or a comma-separated list of addresses and networks in CIDR notation. */
export function trustedProxies(text: string): number | string[] {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const list = commaSeparated(text);
  const known = ['loopback', 'linklocal', 'uniquelocal'];
  if (!list.every((entry) => known.includes(entry) || isNetwork(entry))) {
    throw new VariableFault('must be a number of proxies or a list of addresses and networks such as 10.0.0.0/8');
  }
  return list;
}

/** Addresses of people, comma-separated. */
export function emailList(text: string): string[] {
  const list = commaSeparated(text);
  if (!list.every((address) => isEmail(address, { require_tld: false }))) {
    throw new VariableFault('must be e-mail addresses, separated by commas');
  }
  return list;
}

/** Random text that nobody can guess. */
export function secret(text: string): string {
  if (text.length < 32) throw new VariableFault('must be at least 32 characters, chosen at random');
  return text;
}

/** One sender: `address` or `Name <address>`. */
export function sender(text: string): string {
  if (!isEmail(text, { require_tld: false, allow_display_name: true })) {
    throw new VariableFault('must be one e-mail address, or a name and an address: Name <address>');
  }
  return text;
}

/** An IANA zone such as America/Chicago. Refuses a bare offset, because it has no daylight saving time. */
export function timeZone(text: string): string {
  // Names such as CST are valid, but some have no daylight saving time. Days would be wrong without any warning.
  if (!/^([A-Z][A-Za-z_]+\/.+|UTC)$/i.test(text) || !IANAZone.isValidZone(text)) {
    throw new VariableFault('must be an IANA time zone with a region such as America/Chicago, or UTC');
  }
  return text;
}

/** An ISO 3166 country whose phone numbers libphonenumber knows. */
export function country(text: string): string {
  const code = text.toUpperCase();
  if (!isSupportedCountry(code)) throw new VariableFault('must be an ISO 3166 country code such as US');
  return code;
}

/** The order of day and month in dates with slashes. */
export function slashDates(text: string): SlashDates {
  const order = text.toUpperCase();
  if (order !== 'M/D/Y' && order !== 'D/M/Y') throw new VariableFault('must be M/D/Y or D/M/Y');
  return order;
}

interface Currency {
  readonly code: string;
  readonly minorUnits: MinorUnits;
}

/** An ISO 4217 currency that has at most as many decimals as the database stores. */
export function currency(text: string): Currency {
  const code = text.toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(code)) {
    throw new VariableFault('must be an ISO 4217 currency code such as USD');
  }
  const minorUnits = minorUnitsOf(code);
  if (minorUnits === undefined) throw new VariableFault(`must be a currency with at most ${MAX_DECIMALS_IN_WORDS}`);
  return { code, minorUnits };
}

/** One line of text, for names that appear in mails. */
export function line(max: number): (text: string) => string {
  return (text) => {
    if (text.length > max || /\p{Cc}/u.test(text)) {
      throw new VariableFault(`must be one line of at most ${max} characters`);
    }
    return text;
  };
}

function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isNetwork(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}
