import { types } from 'node:util';
import { Logger } from '@nestjs/common';
import { describeError, isDatabaseUnavailable, stackFrames } from '../database/index.js';

/** {@link describeError}, with the place in the source where that helps. */
export function describeFault(error: unknown): string {
  const text = describeError(error);
  // What has a code came from outside; for what has none, the place in the source is half the answer.
  if (!types.isNativeError(error) || (error as NodeJS.ErrnoException).code !== undefined) return text;
  const [place] = stackFrames(error.stack);
  return place === undefined ? text : `${text} (${place})`;
}

/** Logs a fault that comes again and again once, not each time. A lost database is QueueDatabase's to tell. */
export class RepeatingFault {
  private last: string | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly what: string,
  ) {}

  happened(error: unknown): void {
    const text = describeFault(error);
    if (text === this.last || isDatabaseUnavailable(error)) return;
    this.last = text;
    this.logger.error(`${this.what}: ${text}`);
  }

  isOver(): void {
    this.last = undefined;
  }
}
