import { untranslatableCharacter } from '../../database/index.js';
import { CharacterNotStorableError } from './errors.js';
import { ExpectedError } from './expected-error.js';

/** The error as a failure of the contract, or undefined if it is not one. */
export function expectedErrorOf(error: unknown): ExpectedError | undefined {
  if (error instanceof ExpectedError) return error;
  const character = untranslatableCharacter(error);
  return character === undefined ? undefined : new CharacterNotStorableError(character);
}
