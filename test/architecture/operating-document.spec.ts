import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { unexplained } from '../support/log-check.mjs';

const ROOT = new URL('../../', import.meta.url).pathname;
const DOCUMENT = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');

const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));

/** A text that starts with a quotation mark or a backtick. */
const LITERAL = /^(?:'([^']*)'|`([^`]*)`)/;
/** The code to insert into a message of each level: each code has its own row. */
const CODES: Readonly<Record<string, string>> = { warn: 'database_unavailable', error: 'internal_error' };

/** The text literal at `here` in a source, or that of the constant named there; undefined for anything else. */
function textAt(source: string, here: string): string | undefined {
  const [, quoted, template] = LITERAL.exec(here) ?? [];
  const [name] = /^\w+/.exec(here) ?? [];
  if (name === undefined) return quoted ?? template;
  const constant = source.split(`const ${name} = `)[1];
  return constant === undefined ? undefined : textAt(source, constant);
}

/** The warnings and errors that a source logs, with placeholders for inserted values. */
function loggedBy(source: string): { level: string; message: string }[] {
  const calls = [...source.matchAll(/logger\.(warn|error|fatal)\(\s*/gi)].map(
    ({ 0: call, 1: level = '', index }) => [level, source.slice(index + call.length)] as const,
  );
  // Its message is an argument.
  const repeating = source.split(/new RepeatingFault\(new Logger\([^)]*\), /).slice(1);
  return [...calls, ...repeating.map((text) => ['error', text] as const)].flatMap(([level, here]) => {
    const text = textAt(source, here) ?? `a message that this test cannot read: ${here.slice(0, 60)}`;
    if (text.startsWith('${this.what}')) return [];
    const inserted = (_all: string, name: string): string =>
      name === 'code' ? (CODES[level] ?? '') : (textAt(source, name)?.replace(/\$\{[^}]*\}/g, '7') ?? '7');
    return [{ level, message: text.replace(/\$\{(\w+)\}/g, inserted).replace(/\$\{[^}]*\}/g, '7') }];
  });
}

// test/support/log-check.mjs compares the messages that a run of the tests logs with the table.
it('docs/operating.md explains each error and warning that the source can log', () => {
  const logged = SOURCES.flatMap(loggedBy);
  expect(logged.length).toBeGreaterThanOrEqual(14);
  for (const entry of logged) expect([entry, unexplained(JSON.stringify(entry))]).toEqual([entry, []]);
  // By default Nest logs the failure of a streamed file with its own message. Content in memory cannot fail.
  for (const source of SOURCES.filter((text) => /new StreamableFile\((?!(?:file\.)?content\b)/.test(text)))
    expect(source).toContain('.setErrorLogger(');
});

it('docs/operating.md explains each warning for Finance', () => {
  const sources = SOURCES.filter((source) => /\bHealthWarnings\b/.test(source) && source.includes('.add('));
  const warnings = sources.flatMap((source) =>
    [...source.matchAll(/return \(?\s*['`]([A-Z][^:$]+)/g)].map(([, text]) => text),
  );
  expect(warnings.length).toBeGreaterThanOrEqual(3);
  const explained = [...DOCUMENT.matchAll(/^\| warning "([^"]+)"/gm)].map(([, text = '']) => text);
  for (const warning of warnings) {
    expect([warning, explained.some((text) => warning?.startsWith(text))]).toEqual([warning, true]);
  }
});
