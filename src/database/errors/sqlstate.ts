import { types } from 'node:util';
import { QueryFailedError } from 'typeorm';
import { DatabaseTimeExceededError } from '../transactions/database-time.js';
import { UnsuitableSessionError } from '../sessions/unsuitable-session.js';

/** Error codes that this service handles; see Appendix A of PostgreSQL's manual, "PostgreSQL Error Codes". */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const NOT_NULL_VIOLATION = '23502';
const UNTRANSLATABLE_CHARACTER = '22P05';
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
export const INSUFFICIENT_PRIVILEGE = '42501';
export const UNDEFINED_FUNCTION = '42883';
/** The ids of a table are used up, or too few are left for a new epoch of the books. */
export const SEQUENCE_LIMIT_EXCEEDED = '2200H';
export const TOO_MANY_CONNECTIONS = '53300';

/** The server does not accept writes: it was made read-only, or is a standby. */
const READ_ONLY_TRANSACTION = '25006';
/**
 * A prepared statement does not exist, or exists already. Neither can happen in an exclusive session, so a pooler must
 * have begun to share it. next_id() raises the last code: the books were replaced while the session was open.
 */
const SESSION_REPLACED = ['26000', '42P05', 'OF001'];

/** What a server in recovery answers to a lock or to a question about its write-ahead log. */
const OBJECT_NOT_IN_PREREQUISITE_STATE = '55000';

/**
 * The routines of PostgreSQL that refuse something only in recovery, where the code alone could also be a fault of this
 * program: any unsupported feature, or any internal error. Texts may be translated, names of routines are not.
 */
const ONLY_IN_RECOVERY = new Map([
  // An unlogged table.
  ['0A000', ['get_relation_info']],
  // A transaction that begins to write, and a record of the write-ahead log.
  ['XX000', ['GetNewTransactionId', 'GetNewObjectId', 'XLogBeginInsert', 'XLogInsert']],
]);

/** The database is temporarily unavailable, so the caller may repeat the call. */
const UNAVAILABLE = new Set([
  READ_ONLY_TRANSACTION, // a standby, or recovery
  ...SESSION_REPLACED, // the session was shared or replaced
  SEQUENCE_LIMIT_EXCEEDED, // nothing can be stored until an operator acts
  '25P03', // idle_in_transaction_session_timeout
  LOCK_NOT_AVAILABLE, // lock_timeout
  QUERY_CANCELED, // statement_timeout
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P04', // database_dropped
  '57P05', // idle_session_timeout
  OBJECT_NOT_IN_PREREQUISITE_STATE, // recovery, or the database does not accept connections
  '28000', // the server does not accept this user any more, or not yet
  '28P01', // or not with this password
  '3D000', // the database does not exist any more, or not yet
  SERIALIZATION_FAILURE, // these two after their retries
  DEADLOCK_DETECTED,
]);
/** Classes: 08 connection exception, 53 insufficient resources, 58 system error. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '58']);

/** Errors of the socket. ENOENT means that the server of a Unix socket is down. */
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

/** Errors of pg, pg-pool and TypeORM that have no code. */
const LOST_CONNECTION_MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Connection is not established|Query runner already released|Driver not Connected)/i;

/** True when the client stopped waiting (`query_timeout`). The statement may still be running on that connection. */
export function isAnswerTimeout(error: unknown): boolean {
  return driverError(error)?.message.startsWith('Query read timeout') ?? false;
}

/**
 * True when the connection must not serve another call: an answer may still arrive, the server does not accept writes
 * any more, or the session is shared. The next connection is checked before it is used.
 */
export function spoilsConnection(error: unknown): boolean {
  if (isUnsuitableSession(error) || isAnswerTimeout(error)) return true;
  const state = sqlState(error);
  return (
    state !== undefined &&
    (state === READ_ONLY_TRANSACTION ||
      state === OBJECT_NOT_IN_PREREQUISITE_STATE ||
      SESSION_REPLACED.includes(state) ||
      isRecovery(driverError(error)))
  );
}

function isUnsuitableSession(error: unknown): boolean {
  return driverError(error) instanceof UnsuitableSessionError;
}

function isRecovery(error: DriverError | undefined): boolean {
  return ONLY_IN_RECOVERY.get(error?.code ?? '')?.includes(error?.routine ?? '') ?? false;
}

/** True for a conflict that may not occur again when the transaction is repeated. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED;
}

/** True when a lock was not available within the time limit. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** True when a statement took longer than its limit, and the server has ended it. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === QUERY_CANCELED;
}

/** True for a violation of the unique constraint or index with this name. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  const cause = driverError(error);
  return cause?.code === UNIQUE_VIOLATION && cause.constraint === constraint;
}

/** True for a violation of the foreign key with this name. */
export function violatesForeignKey(error: unknown, constraint: string): boolean {
  const cause = driverError(error);
  return cause?.code === FOREIGN_KEY_VIOLATION && cause.constraint === constraint;
}

/** True for a null in the NOT NULL column with this name. */
export function violatesNotNull(error: unknown, column: string): boolean {
  const cause = driverError(error);
  return cause?.code === NOT_NULL_VIOLATION && cause.column === column;
}

/**
 * The sent character that the encoding of the database lacks, or `a character` if the server does not say which one.
 * Undefined for other errors.
 */
export function untranslatableCharacter(error: unknown): string | undefined {
  const cause = driverError(error);
  if (cause?.code !== UNTRANSLATABLE_CHARACTER) return undefined;
  // "character with byte sequence 0xe2 0x80 0x99 in encoding "UTF8" has no equivalent in …", in any language.
  const bytes = [...cause.message.matchAll(/0x([0-9a-f]{2})\b/g)].map(([, byte = '']) => parseInt(byte, 16));
  return bytes.length === 0 ? 'a character' : Buffer.from(bytes).toString();
}

/** True when the database is temporarily unavailable: the contract's 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseTimeExceededError || isUnsuitableSession(error)) return true;
  const cause = driverError(error);
  if (cause === undefined) return false;
  const state = sqlState(error);
  if (isRecovery(cause)) return true;
  if (state !== undefined) return UNAVAILABLE.has(state) || UNAVAILABLE_CLASSES.has(state.slice(0, 2));
  return LOST_CONNECTION.has(cause.code ?? '') || LOST_CONNECTION_MESSAGE.test(cause.message);
}

/** The five characters of SQLSTATE, or undefined when the error does not come from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  const code = driverError(error)?.code;
  // EPIPE has five characters, too.
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !LOST_CONNECTION.has(code) ? code : undefined;
}

interface DriverError extends Error {
  code?: string;
  severity?: string;
  routine?: string;
  constraint?: string;
  column?: string;
}

/** The driver's error. TypeORM wraps the errors of queries, but not those of the pool. */
export function driverError(error: unknown): DriverError | undefined {
  if (error instanceof QueryFailedError) return error.driverError as DriverError;
  // Not instanceof: in the tests Node's own errors come from another realm.
  return types.isNativeError(error) ? error : undefined;
}
