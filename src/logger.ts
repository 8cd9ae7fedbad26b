import { types } from 'node:util';
import { ConsoleLogger, type ConsoleLoggerOptions, type LogLevel as NestLogLevel } from '@nestjs/common';
import type { LogSettings } from './config/index.js';
import { describeError, stackFrames } from './database/index.js';
import { AccessEntry } from './http/index.js';

/** Where entries go; a line comes without its line break. */
export type WriteLine = (stream: 'stdout' | 'stderr', line: string) => void;

/** Nest's names of the levels; each includes those before it. */
const LEVELS: readonly NestLogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** The name that LOG_LEVEL and log collectors use: Nest's "log" is "info". */
function levelName(level: NestLogLevel): Exclude<NestLogLevel, 'log'> | 'info' {
  return level === 'log' ? 'info' : level;
}

/** Nest's own account of how it puts the application together: thirty lines that help nobody who runs it. */
const ASSEMBLY = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * The process's logger: an entry is one line, of JSON or, for a person at a terminal, of coloured text. Nobody can
 * begin a line of their own or move the cursor, and whoever looks for a request id finds the stack with it.
 */
export function createLogger({ level, format }: LogSettings, write: WriteLine = toStandardStreams): ConsoleLogger {
  const last = LEVELS.indexOf(level === 'info' ? 'log' : level);
  return new ServiceLogger({ json: format === 'json', logLevels: LEVELS.slice(0, last + 1) }, write);
}

/** Lines for standard output that go out together, when what the process is at is done: each write stops it. */
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

/** What an entry says, and of what. */
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
    if (ASSEMBLY.has(String(rest.at(-1)))) super.debug(message, ...rest);
    else super.log(message, ...rest);
  }

  /** Objects given along are not printed, but for a request's entry: nobody can say whose details they hold. */
  protected override printMessages(
    messages: unknown[],
    context = '',
    logLevel: NestLogLevel = 'log',
    writeStreamType: 'stdout' | 'stderr' = 'stdout',
    errorStack?: unknown,
  ): void {
    for (const message of messages) {
      const fault = types.isNativeError(message) ? message : undefined;
      const access = message instanceof AccessEntry ? message : undefined;
      const text = fault === undefined ? String(access ?? this.resolveMessage(message)) : describeError(fault);
      const entry = { text, frames: stackFrames(fault?.stack ?? errorStack), fields: access?.fields ?? {} };
      const about = { context, logLevel };
      this.write(writeStreamType, this.options.json === true ? this.asJson(entry, about) : this.asText(entry, about));
    }
  }

  /** It stands in its entry. */
  protected override printStackTrace(): void {
    return;
  }

  private asJson({ text, frames, fields }: Entry, about: About): string {
    const entry = this.getJsonLogObject(text, { ...about, errorStack: frames.join('\n') });
    const named = { level: levelName(about.logLevel), timestamp: new Date(entry.timestamp).toISOString() };
    return visible(JSON.stringify(Object.assign(entry, named, fields)));
  }

  private asText({ text, frames, fields }: Entry, { context, logLevel }: About): string {
    const told = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
    return this.formatMessage(
      logLevel,
      visible([text, ...told, ...frames].join(' | ')),
      this.formatPid(process.pid),
      levelName(logLevel).toUpperCase().padStart(7),
      this.formatContext(context),
      '',
    ).trimEnd();
  }
}

const ALL_VISIBLE = /^[\x20-\x7E]*$/;

/** Control and format characters, line and paragraph separators as JSON would write them. */
function visible(text: string): string {
  if (ALL_VISIBLE.test(text)) return text;
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => escaped(character.charCodeAt(i))).join(''),
  );
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
