import { types } from 'node:util';
import { driverError, sqlState } from './sqlstate.js';

const LONGEST_MESSAGE = 200;

/**
 * Describes an error in one line for logs: name, code and message, but no statement and no parameter. A server's
 * message about a statement may quote parameters, so it is left out unless it is about the connection.
 */
export function describeError(error: unknown): string {
  // Not instanceof: in the tests Node's own errors come from another realm.
  if (!types.isNativeError(error)) return `${typeof error} thrown`;
  const state = sqlState(error);
  const cause = driverError(error);
  const code = state ?? cause?.code ?? '';
  const message = state === undefined || cause?.severity === 'FATAL' ? (cause?.message ?? '') : '';
  // The name of pg's errors is only "error".
  const name = error.name === 'error' ? error.constructor.name : error.name;
  return `${name} ${code} ${message.slice(0, LONGEST_MESSAGE)}`.replace(/\s+/g, ' ').trim();
}

/** The lines of a stack, without the message at its beginning. */
export function stackFrames(stack: unknown): string[] {
  if (typeof stack !== 'string') return [];
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}
