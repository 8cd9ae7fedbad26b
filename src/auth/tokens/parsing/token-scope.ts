import { fault, read, type Reading } from '../../../values/index.js';

/** What a token may be used for. Each route names its scope ({@link ForTokens}). */
export const TOKEN_SCOPES = ['add', 'reverse', 'read', 'preview'] as const;

export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** Reads scopes that are separated by commas. The result has each once, in the order of {@link TOKEN_SCOPES}. */
export function readScopes(text: string): Reading<readonly TokenScope[]> {
  const names = text.split(',').map((name) => name.trim());
  if (!names.every((name) => (TOKEN_SCOPES as readonly string[]).includes(name))) {
    return fault(`must be one or more of ${TOKEN_SCOPES.join(', ')}, separated by commas`);
  }
  return read(TOKEN_SCOPES.filter((scope) => names.includes(scope)));
}
