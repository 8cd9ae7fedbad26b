import { ConsoleLogger, type LogLevel as NestLogLevel } from '@nestjs/common';
import type { LogSettings } from './config/index.js';

/** Nest's names of the levels; each includes those before it. */
const LEVELS: readonly NestLogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Nest's own account of how it puts the application together: thirty lines that help nobody who runs it. */
const ASSEMBLY = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** The process's logger: one line of JSON per entry, or coloured text for a person at a terminal. */
export function createLogger({ level, format }: LogSettings): ConsoleLogger {
  const last = LEVELS.indexOf(level === 'info' ? 'log' : level);
  return new ServiceLogger({ json: format === 'json', logLevels: LEVELS.slice(0, last + 1) });
}

class ServiceLogger extends ConsoleLogger {
  override log(message: unknown, ...rest: unknown[]): void {
    if (ASSEMBLY.has(String(rest.at(-1)))) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }
}
