import { types } from 'node:util';
import { QueryFailedError } from 'typeorm';
import { DatabaseTimeExceededError } from '../transactions/database-time.js';
import { UnsuitableSessionError } from '../sessions/unsuitable-session.js';

/** Conditions of PostgreSQL this service acts on; Appendix A of its manual, "PostgreSQL Error Codes". */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const NOT_NULL_VIOLATION = '23502';
const UNTRANSLATABLE_CHARACTER = '22P05';
const LOCK_NOT_AVAILABLE = '55P03';
export const INSUFFICIENT_PRIVILEGE = '42501';
export const UNDEFINED_FUNCTION = '42883';
/** The ids of a table are used up, or have no room for a new epoch of the books. */
export const SEQUENCE_LIMIT_EXCEEDED = '2200H';
export const TOO_MANY_CONNECTIONS = '53300';

/** The server takes no writes: it was made read-only, or is a standby. */
const READ_ONLY_TRANSACTION = '25006';
/**
 * A prepared statement is unknown, or is there already: on a session that is ours alone neither can be, so that a pooler
 * must have begun to share it. The last is ours, by next_id(): the books were replaced while the session was open.
 */
const ELSEWHERE = ['26000', '42P05', 'OF001'];

const FEATURE_NOT_SUPPORTED = '0A000';
/**
 * Where PostgreSQL's source refuses an unlogged table on a standby. The code alone would be that of any feature that is
 * not supported, which is a fault of ours.
 */
const UNLOGGED_IN_RECOVERY = 'get_relation_info';

/** The database is there no more, not yet, or cannot take this now: the caller may repeat. */
const UNAVAILABLE = new Set([
  READ_ONLY_TRANSACTION, // a standby, or recovery
  ...ELSEWHERE, // the session is not what it was
  SEQUENCE_LIMIT_EXCEEDED, // nothing can be stored until somebody has seen to it
  '25P03', // idle_in_transaction_session_timeout
  LOCK_NOT_AVAILABLE, // lock_timeout
  '57014', // statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P04', // database_dropped
  '57P05', // idle_session_timeout
  '55000', // the database takes no connections: maintenance
  '28000', // the server lets this user in no more, or not yet
  '28P01', // or not with this password
  '3D000', // the database does not exist (any more, or not yet)
  SERIALIZATION_FAILURE, // these two after their retries
  DEADLOCK_DETECTED,
]);
/** Classes: 08 connection exception, 53 insufficient resources, 58 system error. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '58']);

/** Errors of the socket below the protocol; ENOENT is a Unix socket whose server is down. */
const LOST_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'ENOTFOUND',
  'EAGAIN',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** pg, pg-pool and TypeORM tell these by their text alone. */
const LOST_CONNECTION_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Connection is not established|Query runner already released|Driver not Connected)/i;

/** The client gave up on an answer (`query_timeout`); the statement may still be running on that connection. */
export function isAnswerTimeout(error: unknown): boolean {
  return driverError(error)?.message.startsWith('Query read timeout') ?? false;
}

/**
 * True when the connection must not serve another call: an answer may still be on its way, the server behind it takes no
 * writes any more, or the session is not ours alone. The next connection is checked before it is used.
 */
export function spoilsConnection(error: unknown): boolean {
  if (isOfUnsuitableSession(error) || isAnswerTimeout(error)) return true;
  const state = sqlState(error);
  return (
    state !== undefined &&
    (state === READ_ONLY_TRANSACTION || ELSEWHERE.includes(state) || isRecovery(driverError(error)))
  );
}

/** Our own connections throw these, and TypeORM wraps what it asked of them. */
function isOfUnsuitableSession(error: unknown): boolean {
  return driverError(error) instanceof UnsuitableSessionError;
}

function isRecovery(error: DriverError | undefined): boolean {
  return error?.code === FEATURE_NOT_SUPPORTED && error.routine === UNLOGGED_IN_RECOVERY;
}

/** True for a conflict that a fresh transaction may not meet again. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

/** True when a lock was waited for in vain. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** True for a violation of the unique constraint or index of that name. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  const cause = driverError(error);
  return cause?.code === UNIQUE_VIOLATION && cause.constraint === constraint;
}

/** True for a violation of the foreign key of that name. */
export function violatesForeignKey(error: unknown, constraint: string): boolean {
  const cause = driverError(error);
  return cause?.code === FOREIGN_KEY_VIOLATION && cause.constraint === constraint;
}

/** True for a null in the column of that name, which takes none. */
export function violatesNotNull(error: unknown, column: string): boolean {
  const cause = driverError(error);
  return cause?.code === NOT_NULL_VIOLATION && cause.column === column;
}

/**
 * The character that was sent and that the encoding of the database does not have; `a character` where the server does not
 * tell which. Undefined for any other error.
 */
export function untranslatableCharacter(error: unknown): string | undefined {
  const cause = driverError(error);
  if (cause?.code !== UNTRANSLATABLE_CHARACTER) return undefined;
  // Character with byte sequence 0xe2 0x80 0x99 in encoding "UTF8" has no equivalent in encoding "LATIN1": in whatever language.
  const bytes = [...cause.message.matchAll(/0x([0-9a-f]{2})\b/g)].map(([, byte = '']) => parseInt(byte, 16));
  return bytes.length === 0 ? 'a character' : Buffer.from(bytes).toString();
}

/** True when the database cannot be reached or cannot take the work now; the contract's 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTimeExceededError || isOfUnsuitableSession(error)) return true;
  const cause = driverError(error);
  if (cause === undefined) return false;
  const state = sqlState(error);
  if (isRecovery(cause)) return true;
  if (state !== undefined) return UNAVAILABLE.has(state) || UNAVAILABLE_CLASSES.has(state.slice(0, 2));
  return LOST_CONNECTION.has(cause.code ?? '') || LOST_CONNECTION_MESSAGE.test(cause.message);
}

/** The five characters of SQLSTATE, or undefined when the error is none of PostgreSQL's. */
export function sqlState(error: unknown): string | undefined {
  const code = driverError(error)?.code;
  // EPIPE looks like one, too.
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !LOST_CONNECTION.has(code) ? code : undefined;
}

interface DriverError extends Error {
  code?: string;
  severity?: string;
  routine?: string;
  constraint?: string;
  column?: string;
}

/** TypeORM wraps what a query threw, and hands on what the pool threw. */
export function driverError(error: unknown): DriverError | undefined {
  if (error instanceof QueryFailedError) return error.driverError as DriverError;
  // Not by instanceof: an error of Node's own comes from another realm where tests run.
  return types.isNativeError(error) ? error : undefined;
}
