import { IANAZone } from 'luxon';
import { AMOUNT_NOTATIONS, type AmountNotation } from '../../notations/index.js';
import type { DateOrder } from '../../notations/index.js';
import { quoted } from '../import-error.js';

/** The separators of cells that files have. */
const SEPARATORS = [',', ';', '\t', '|'] as const;

export type Separator = (typeof SEPARATORS)[number];

/** How a file writes its table: the key `file` of a mapping. */
export interface FileFormat {
  /** The number of lines above the names of the columns. */
  readonly skipLines?: number;
  /** The number of lines below the table, such as sums. Blank lines do not count. */
  readonly footer?: number;
  /** A name that TextDecoder knows. The default is UTF-8, or UTF-16 if the file begins like it. */
  readonly encoding?: string;
  /** The default is the most frequent one of comma, semicolon and tab in the line with the names of the columns. */
  readonly separator?: Separator;
  /** The order of dates. The default is the church's. */
  readonly dates?: DateOrder;
  /** The time zone (IANA name) of times without an offset. The default is the church's. */
  readonly timeZone?: string;
  /** How amounts are written. By default they are digits with a point. */
  readonly amounts?: AmountNotation;
  /**
   * The fields whose column shows the value of the whole payment on each row of a payment with several rows. All others are
   * added up. Undefined: it was not said.
   */
  readonly repeats?: readonly RepeatedField[];
}

/** The fields that a file may repeat. */
export const REPEATED_FIELDS = ['Fee', 'RefundedAmount'] as const;

export type RepeatedField = (typeof REPEATED_FIELDS)[number];

const DATE_ORDERS: readonly DateOrder[] = ['M/D/Y', 'D/M/Y', 'Y-M-D'];

/** The most lines that a file may have above or below its table. */
const MAX_LINES = 100;

type Reader = (value: unknown) => FileFormat | undefined;

/** The keys of `file`: what each accepts, and how it is read. */
const KEYS: Readonly<Record<string, { readonly must: string; readonly read: Reader }>> = {
  skipLines: {
    must: `must be a whole number from 0 to ${MAX_LINES}`,
    read: (value) => (isCount(value) ? { skipLines: value } : undefined),
  },
  footer: {
    must: `must be a whole number from 0 to ${MAX_LINES}`,
    read: (value) => (isCount(value) ? { footer: value } : undefined),
  },
  encoding: {
    must: 'must be an encoding such as utf-8, windows-1252 or utf-16le',
    read: (value) => (typeof value === 'string' && isEncoding(value) ? { encoding: value } : undefined),
  },
  separator: {
    must: 'must be one of "," ";" "|" or "\\t"',
    read: (value) => found(SEPARATORS, value, (separator) => ({ separator })),
  },
  dates: {
    must: `must be ${DATE_ORDERS.join(' or ')}`,
    read: (value) =>
      found(DATE_ORDERS, typeof value === 'string' ? dateOrder(value) : undefined, (dates) => ({ dates })),
  },
  timeZone: {
    must: 'must be an IANA name, such as UTC or America/Chicago',
    read: (value) => (typeof value === 'string' && IANAZone.isValidZone(value) ? { timeZone: value } : undefined),
  },
  amounts: {
    must: `must be ${AMOUNT_NOTATIONS.map((each) => JSON.stringify(each)).join(' or ')}`,
    read: (value) => found(AMOUNT_NOTATIONS, value, (amounts) => ({ amounts })),
  },
  repeats: {
    must: `must be a list of ${REPEATED_FIELDS.join(' and ')}, or []`,
    read: (value) => {
      const repeats = Array.isArray(value) ? REPEATED_FIELDS.filter((field) => value.includes(field)) : [];
      return Array.isArray(value) && repeats.length === new Set(value).size ? { repeats } : undefined;
    },
  },
};

/** `zone` is the shorter name. */
const OTHER_NAMES: Readonly<Record<string, string>> = { zone: 'timeZone' };

/** Reads the key `file` of a mapping. @param faults receives what is wrong with it. */
export function readFileFormat(value: object, faults: string[]): FileFormat {
  let format: FileFormat = {};
  const entries = Object.entries(value) as [string, unknown][];
  for (const [name, content] of entries) {
    const key = Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] ?? name) : name;
    const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    const read = known?.read(content);
    if (known === undefined)
      faults.push(`"file" has an unknown key ${quoted(name)} (known are ${Object.keys(KEYS).join(', ')})`);
    else if (read === undefined) faults.push(`${quoted(name)} of "file" ${known.must}`);
    else if (key in format) faults.push('"zone" and "timeZone" of "file" are the same: name one of them');
    else format = { ...format, ...read };
  }
  return format;
}

/** The order that a text means, with slashes, full stops or hyphens. */
function dateOrder(text: string): string {
  return text === 'Y-M-D' ? text : /^[DM]([./-])[DM]\1Y$/.test(text) ? text.replace(/[.-]/g, '/') : text;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_LINES;
}

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}

function found<T>(known: readonly T[], value: unknown, format: (value: T) => FileFormat): FileFormat | undefined {
  const one = known.find((each) => each === value);
  return one === undefined ? undefined : format(one);
}
