import { randomUUID } from 'node:crypto';
import type { Query } from '../http/index.js';
import { IDEMPOTENCY_KEY_REUSED } from './errors.js';

/** The key in a form, by which a form that is sent twice acts once, and the other fields. */
export function keyAndRest({ Key: key, ...rest }: Query): { readonly key: string | undefined; readonly rest: Query } {
  return { key: typeof key === 'string' && /^[\w-]{1,64}$/.test(key) ? key : undefined, rest };
}

/**
 * The key of a form that is shown again: the same, so that it still acts once. A new one if the form has acted before with
 * other fields, as after going back in the browser.
 */
export function keyAfter(code: string, key: string | undefined): string {
  return key === undefined || code === IDEMPOTENCY_KEY_REUSED.code ? randomUUID() : key;
}
