import { InvalidArgumentError } from 'commander';

/** An id on the command line: digits without sign or leading zero, at most 2147483647. */
export function idArgument(text: string): number {
  const id = Number(text);
  if (!/^[1-9]\d{0,9}$/.test(text) || id > 2_147_483_647) {
    throw new InvalidArgumentError('It must be an id: a whole number from 1 to 2147483647.');
  }
  return id;
}

/** Collects the ids of an option or argument that can be repeated. */
export function idArguments(text: string, before: readonly number[] = []): readonly number[] {
  return [...before, idArgument(text)];
}
