import { Logger } from '@nestjs/common';
import { describeError } from '../database/index.js';

/**
 * Ends the process on an error that nobody has caught, as Node would, with an entry in the log instead of all that hangs
 * on the error: of a failed statement that would be its parameters, a giver's details.
 */
export function endOnUncaughtErrors(): void {
  const logger = new Logger('Process');
  // Of rejections as well, which Node turns into this.
  process.on('uncaughtException', (error: unknown) => {
    const stack = error instanceof Error ? error.stack : undefined;
    logger.fatal(`The service ends, for an error that nobody caught: ${describeError(error)}`, stack);
    process.exit(1);
  });
}
