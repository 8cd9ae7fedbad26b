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

  /** Adds a fault, such as a conflict between two variables. */
  fault(name: string, message: string): void {
    this.faults.push(`${name} ${message}`);
  }

  /** @throws InvalidConfigurationError when any variable read so far was invalid. */
  assertValid(): void {
    if (this.faults.length > 0) throw new InvalidConfigurationError(this.faults);
  }
}
