import type { ErrorKind } from '../../src/http/index.js';
import { sourceExports } from './source-exports.js';

/** Every error kind that a file of src/ declares, whether a route lists it or not. */
export async function declaredErrors(): Promise<ErrorKind[]> {
  const exports = await sourceExports((_file, text) => text().includes(': ErrorKind = {'));
  const kinds = [...new Set(exports.filter(isErrorKind))];
  const codes = kinds.map(({ code }) => code);
  const repeated = codes.filter((code, index) => codes.indexOf(code) !== index);
  if (repeated.length > 0) throw new Error(`Error codes that are declared twice: ${repeated.join(', ')}`);
  return kinds;
}

/** The status of each code that {@link declaredErrors} finds. */
export async function declaredStatuses(): Promise<Record<string, number>> {
  return Object.fromEntries((await declaredErrors()).map(({ code, status }) => [code, status]));
}

function isErrorKind(value: unknown): value is ErrorKind {
  return typeof value === 'object' && value !== null && 'code' in value && 'status' in value && 'when' in value;
}
