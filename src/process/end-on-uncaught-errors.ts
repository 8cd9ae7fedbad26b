import { Logger } from '@nestjs/common';
import { describeError } from '../database/index.js';

/**
 * Ends the process on an uncaught error, as Node would, but logs an entry without the error's properties. Those of a
 * failed statement include its parameters, which are a giver's details.
 */
export function endOnUncaughtErrors(): void {
  const logger = new Logger('Process');
  // Node emits this event for unhandled rejections, too.
  process.on('uncaughtException', (error: unknown) => {
    const stack = error instanceof Error ? error.stack : undefined;
    logger.fatal(`The service ends after an uncaught error: ${describeError(error)}`, stack);
    process.exit(1);
  });
}
