/** The environment did not pass; the message names every bad variable, on a line of its own. */
export class InvalidConfigurationError extends Error {
  override readonly name = 'InvalidConfigurationError';

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}

/** What is wrong with a value, said without the value itself: it may be a secret. */
export class VariableFault extends Error {}

/**
 * Reads variables and collects what is wrong with them, so that one start names all faults at once.
 * A variable that is empty counts as absent: docker compose passes `NAME=` for what is not set.
 */
export class EnvironmentReader {
  private readonly faults: string[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** The variable as `parse` reads it, or `fallback` when absent; a {@link VariableFault} is noted under its name. */
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

  /** Notes what is wrong with a variable beside another one. */
  fault(name: string, message: string): void {
    this.faults.push(`${name} ${message}`);
  }

  /** @throws InvalidConfigurationError when any variable read so far was bad. */
  assertValid(): void {
    if (this.faults.length > 0) throw new InvalidConfigurationError(this.faults);
  }
}
