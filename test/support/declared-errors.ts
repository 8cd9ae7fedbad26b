import { readdirSync, readFileSync } from 'node:fs';
import type { ErrorKind } from '../../src/http/index.js';

const SRC = new URL('../../src/', import.meta.url);

/** Every error kind that a file of src/ declares, whether a route lists it or not. */
export async function declaredErrors(): Promise<ErrorKind[]> {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const declaring = files.filter(
    (file) => file.endsWith('.ts') && readFileSync(new URL(file, SRC), 'utf8').includes(': ErrorKind = {'),
  );
  const modules = await Promise.all(
    declaring.map((file) => import(new URL(file, SRC).pathname) as Promise<Readonly<Record<string, unknown>>>),
  );
  const kinds = [...new Set(modules.flatMap((exports) => Object.values(exports)).filter(isErrorKind))];
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
