import { readFileSync } from 'node:fs';

/** The environment is invalid. The message names every invalid variable, each on its own line. */
export class InvalidConfigurationError extends Error {
  override readonly name = 'InvalidConfigurationError';

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** The value of a variable is invalid. The message does not contain the value, which may be a secret. */
export class VariableFault extends Error {}

/**
 * Reads variables and collects their faults, so that one start names all of them.
 * An empty variable counts as absent, because docker compose passes `NAME=` for a variable that is not set.
 */
export class EnvironmentReader {
  private readonly faults: string[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** The parsed variable, or `fallback` when it is absent or invalid. Collects a {@link VariableFault} of `parse`. */
  read<T, F>(name: string, fallback: F, parse: (text: string) => T): T | F {
    const text = this.environment[name]?.trim();
    if (text === undefined || text === '') return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof VariableFault)) throw error;
      this.faults.push(`${name} ${error.message}`);
      return fallback;
    }
  }

  /**
   * {@link read} for a secret, which may also be in a file that `<name>_FILE` names. The environment of a process is
   * easier to see than a file. Spaces and line breaks at the ends of the file do not count.
   */
  readSecret<T, F>(name: string, fallback: F, parse: (text: string) => T): T | F {
    const variable = `${name}_FILE`;
    const path = this.environment[variable]?.trim() ?? '';
    if (path === '') return this.read(name, fallback, parse);
    if ((this.environment[name]?.trim() ?? '') !== '') {
      this.fault(variable, `and ${name} are both set: remove one of them`);
      return fallback;
    }
    return this.read(variable, fallback, () => parseFile(path, parse));
  }

  /** Adds a fault, such as a conflict between two variables. */
  fault(name: string, message: string): void {
    this.faults.push(`${name} ${message}`);
  }

  /** @throws InvalidConfigurationError when any variable read so far was invalid. */
  assertValid(): void {
    if (this.faults.length > 0) throw new InvalidConfigurationError(this.faults);
  }
}

/** @throws VariableFault for a file that cannot be read or is empty, and for invalid content. */
function parseFile<T>(path: string, parse: (text: string) => T): T {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const { code = 'unknown fault' } = error as NodeJS.ErrnoException;
    throw new VariableFault(`names a file that cannot be read (${code})`);
  }
  if (text === '') throw new VariableFault('names an empty file');
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof VariableFault)) throw error;
    throw new VariableFault(`names a file whose content ${error.message}`);
  }
}
