import { untranslatableCharacter } from '../../database/index.js';
import { CharacterNotStorableError } from './errors.js';
import { ExpectedError } from './expected-error.js';

/** The failure of the contract that an error is, or undefined for none of them. */
export function expectedErrorOf(error: unknown): ExpectedError | undefined {
  if (error instanceof ExpectedError) return error;
  const character = untranslatableCharacter(error);
  return character === undefined ? undefined : new CharacterNotStorableError(character);
}
