import { types } from 'node:util';
import { driverError, sqlState } from './sqlstate.js';

const LONGEST_MESSAGE = 200;

/**
 * An error in one line, for logs: name, code and message, but no statement and no parameter. What the server says of a
 * statement may quote what was sent, so its message is told only when it is about the connection.
 */
export function describeError(error: unknown): string {
  // Not by instanceof: an error of Node's own comes from another realm where tests run.
  if (!types.isNativeError(error)) return `${typeof error} thrown`;
  const state = sqlState(error);
  const cause = driverError(error);
  const code = state ?? cause?.code ?? '';
  const message = state === undefined || cause?.severity === 'FATAL' ? (cause?.message ?? '') : '';
  // pg names its own "error" and nothing more.
  const name = error.name === 'error' ? error.constructor.name : error.name;
  return `${name} ${code} ${message.slice(0, LONGEST_MESSAGE)}`.replace(/\s+/g, ' ').trim();
}

/** Where it happened: the lines of a stack without the message that it begins with. */
export function stackFrames(stack: unknown): string[] {
  if (typeof stack !== 'string') return [];
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}
