import type { Readable } from 'node:stream';
import { Logger, StreamableFile } from '@nestjs/common';
import { describeError } from '../../../../database/index.js';

const logger = new Logger('Imports');

/** The result of an import as a file to download. */
export function resultFile(importId: number, csv: Readable): StreamableFile {
  const disposition = `attachment; filename="import-${importId}.result.csv"`;
  const logFailure = (error: Error): void => {
    logger.warn(`The result of import ${importId} was not sent completely: ${describeError(error)}`);
  };
  return new StreamableFile(csv, { type: 'text/csv; charset=utf-8', disposition })
    .setErrorLogger(logFailure)
    .setErrorHandler((error, response) => {
      logFailure(error);
      // Nest's own handler would answer 400, as if it were the caller's fault.
      response.destroy?.();
    });
}
