import type { Query } from '../../http/index.js';

/** The key in a form, by which a form that is sent twice acts once, and the other fields. */
export function keyAndRest({ Key: key, ...rest }: Query): { readonly key: string | undefined; readonly rest: Query } {
  return { key: typeof key === 'string' && /^[\w-]{1,64}$/.test(key) ? key : undefined, rest };
}
