import { types } from 'node:util';
import { ConsoleLogger, type ConsoleLoggerOptions, type LogLevel as NestLogLevel } from '@nestjs/common';
import type { LogSettings } from './config/index.js';
import { describeError, stackFrames } from './database/index.js';
import { AccessEntry } from './http/index.js';

/** Writes one line of the log; `line` has no line break. */
export type WriteLine = (stream: 'stdout' | 'stderr', line: string) => void;

/** Nest's names of the levels; each level includes those before it. */
const LEVELS: readonly NestLogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** The level's name for LOG_LEVEL and log collectors: "info" for Nest's "log". */
function levelName(level: NestLogLevel): Exclude<NestLogLevel, 'log'> | 'info' {
  return level === 'log' ? 'info' : level;
}

/** The contexts of about thirty lines that Nest logs at its start. They do not help operators, so they become debug. */
const NEST_STARTUP = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Creates the process's logger. An entry is one line: JSON, or coloured text at a terminal. Logged text cannot begin a
 * new line or move the cursor. The stack of an error is in the same line as the request id.
 */
export function createLogger({ level, format }: LogSettings, write: WriteLine = toStandardStreams): ConsoleLogger {
  const last = LEVELS.indexOf(level === 'info' ? 'log' : level);
  return new ServiceLogger({ json: format === 'json', logLevels: LEVELS.slice(0, last + 1) }, write);
}

/** Lines that are written to standard output together at the end of the current event, because each write blocks. */
const waiting: string[] = [];

function toStandardStreams(stream: 'stdout' | 'stderr', line: string): void {
  if (stream === 'stderr') {
    process.stderr.write(`${line}\n`);
    return;
  }
  if (waiting.length === 0) setImmediate(writeWaiting);
  waiting.push(`${line}\n`);
}

function writeWaiting(): void {
  process.stdout.write(waiting.splice(0).join(''));
}

process.once('exit', writeWaiting);

interface Entry {
  readonly text: string;
  readonly frames: readonly string[];
  readonly fields: AccessEntry['fields'];
}

interface About {
  readonly context: string;
  readonly logLevel: NestLogLevel;
}

class ServiceLogger extends ConsoleLogger {
  constructor(
    options: ConsoleLoggerOptions,
    private readonly write: WriteLine,
  ) {
    super(options);
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (NEST_STARTUP.has(String(rest.at(-1)))) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  /** Prints no objects except a request's {@link AccessEntry}, because any other object may hold a giver's details. */
  protected override printMessages(
    messages: unknown[],
    context = '',
    logLevel: NestLogLevel = 'log',
    writeStreamType: 'stdout' | 'stderr' = 'stdout',
    errorStack?: unknown,
  ): void {
    for (const message of messages) {
      const error = types.isNativeError(message) ? message : undefined;
      const access = message instanceof AccessEntry ? message : undefined;
      const text = error === undefined ? String(access ?? this.resolveMessage(message)) : describeError(error);
      const entry = { text, frames: stackFrames(error?.stack ?? errorStack), fields: access?.fields ?? {} };
      const about = { context, logLevel };
      this.write(writeStreamType, this.options.json === true ? this.asJson(entry, about) : this.asText(entry, about));
    }
  }

  /** Prints nothing: the stack is part of the entry. */
  protected override printStackTrace(): void {
    return;
  }

  private asJson({ text, frames, fields }: Entry, about: About): string {
    const entry = this.getJsonLogObject(text, { ...about, errorStack: frames.join('\n') });
    const named = { level: levelName(about.logLevel), timestamp: new Date(entry.timestamp).toISOString() };
    return visible(JSON.stringify(Object.assign(entry, named, fields)));
  }

  private asText({ text, frames, fields }: Entry, { context, logLevel }: About): string {
    const pairs = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
    return this.formatMessage(
      logLevel,
      visible([text, ...pairs, ...frames].join(' | ')),
      this.formatPid(process.pid),
      levelName(logLevel).toUpperCase().padStart(7),
      this.formatContext(context),
      '',
    ).trimEnd();
  }
}

const ALL_VISIBLE = /^[\x20-\x7E]*$/;

/** Replaces control and format characters, and line and paragraph separators, by JSON's escape sequences. */
function visible(text: string): string {
  if (ALL_VISIBLE.test(text)) return text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => escaped(character.charCodeAt(i))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
