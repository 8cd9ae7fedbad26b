import { textUpTo } from '../json-schema.js';

/** The most characters of the texts that are sent and stored. Requests accept no more, and answers have no more. */
export const LONGEST = {
  /** Of a person, a fund, a type or a user. */
  name: 100,
  email: 254,
  phone: 50,
  address: 255,
  zip: 20,
  notes: 4_000,
  /** Why Finance did something. */
  reason: 1_000,
  /** The sender's own names: sources, and ids of gifts, refunds and payouts. */
  ownId: 100,
  checkNumber: 20,
} as const;

/** The same texts in answers. */
export const TEXTS = {
  name: textUpTo(LONGEST.name),
  email: textUpTo(LONGEST.email),
  phone: textUpTo(LONGEST.phone),
  /** An e-mail address or a phone number. */
  contact: textUpTo(LONGEST.email),
  address: textUpTo(LONGEST.address),
  zip: textUpTo(LONGEST.zip),
  notes: textUpTo(LONGEST.notes),
  reason: textUpTo(LONGEST.reason),
  ownId: textUpTo(LONGEST.ownId),
  checkNumber: textUpTo(LONGEST.checkNumber),
  /** A user; or a program with the account that ran it, whose name the operating system limits to 256 characters. */
  actor: textUpTo(300),
  /** A word for programs, or a position in a list. */
  word: textUpTo(100),
  /** What the service says in a few sentences. */
  sentences: textUpTo(10_000),
} as const;
