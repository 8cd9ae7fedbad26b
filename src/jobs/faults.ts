import { types } from 'node:util';
import { Logger } from '@nestjs/common';
import { isDatabaseUnavailable, sqlState } from '../database/index.js';

/** An error in one line, for logs: no statement, no parameters, nothing of anybody. */
export function describeFault(error: unknown): string {
  if (!types.isNativeError(error)) return 'unknown fault';
  const code = sqlState(error) ?? (error as NodeJS.ErrnoException).code;
  const [message = ''] = error.message.split('\n');
  const text = [error.name, code, message.slice(0, 200)].filter((part) => part !== undefined && part !== '').join(' ');
  // What has a code came from outside; for what has none, the place in the source is half the answer.
  const place = code === undefined ? firstFrame(error) : undefined;
  return place === undefined ? text : `${text} (${place})`;
}

function firstFrame(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .find((line) => line.trimStart().startsWith('at '))
    ?.trim();
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
