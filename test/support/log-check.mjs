// @ts-check
// Plain JavaScript: the global teardown uses it, outside of Jest's transforms.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What givers are known by in tests (gift() of test-app.ts, giver() of givers.ts), and credentials, by their shape.
 * @type {readonly (readonly [what: string, shape: RegExp])[]}
 */
const TELLTALES = [
  ['an e-mail address', /[\w.+-]+@[\w-]+(\.[\w-]+)+/],
  // The bare one not where it is a part of a UUID.
  ['a phone number', /(?<!\d)(\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?!\d)|(?<![\w-])1?(901|615)\d{7}(?![\w-])/],
  ['a giver’s name', /\b(Ann|Lee)(\b|[a-z]*\d|[a-z]+k\b)|Appleseed/],
  ['a giver’s notes or address', /PRIVATE/],
  ['credentials', /\bauthorization\b|\bbasic +[A-Za-z0-9+/]{6}|offt_[\w-]{6}|:\/\/[^/\s:@]+:[^/\s@]+@/i],
];

/**
 * What this text tells and must not, in words.
 * @param {string} text
 * @param {readonly string[]} secrets passwords and the like, which have no shape
 * @returns {string[]}
 */
export function leaksOf(text, secrets = []) {
  const told = TELLTALES.flatMap(([what, shape]) => (shape.test(text) ? [`tells ${what}`] : []));
  return secrets.some((secret) => text.includes(secret)) ? [...told, 'tells a password'] : told;
}

/**
 * The same of a line of a log, which must also be an entry by itself.
 * @param {string} line
 * @param {readonly string[]} secrets
 * @returns {string[]}
 */
export function faultsOf(line, secrets = []) {
  return isEntry(line) ? leaksOf(line, secrets) : [...leaksOf(line, secrets), 'is no entry in JSON'];
}

/** What somebody who looks after the service is told of: docs/operating.md, "When this happens, do that". */
const EXPLAINED = explained(readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8'));

/**
 * The messages that rows of the table speak of: `log error "Delivery … is given up"`, where … is anything.
 * @param {string} document
 * @returns {readonly { readonly level: string, readonly message: RegExp }[]}
 */
function explained(document) {
  const rows = [...document.matchAll(/^\| log (error|warning|fatal) "([^"]+)"/gm)];
  return rows.map(([, level = '', text = '']) => ({
    level: level === 'warning' ? 'warn' : level,
    message: new RegExp(`^${text.split('…').map(escape).join('.+')}`),
  }));
}

/** @param {string} text */
function escape(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Of an entry that somebody should act on: whether docs/operating.md says how.
 * @param {string} line
 * @returns {string[]}
 */
export function unexplained(line) {
  if (!isEntry(line)) return [];
  const { level, message, context } = JSON.parse(line);
  // Two applications in one process are something that tests alone have.
  if (context === 'DataSourceNameRegistry') return [];
  if (!['warn', 'error', 'fatal'].includes(level)) return [];
  return EXPLAINED.some((row) => row.level === level && row.message.test(message))
    ? []
    : ['is in no row of "When this happens, do that" in docs/operating.md'];
}

/** @param {string} line */
function isEntry(line) {
  try {
    const entry = JSON.parse(line);
    return typeof entry.level === 'string' && typeof entry.message === 'string' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(line);
  } catch {
    return false;
  }
}

/**
 * A directory for what the services of a run leave behind, which kept-logs.ts fills: NAME.log has the lines of their
 * logs, NAME.jobs the rows of their queues, NAME.secrets the credentials that they were sent.
 * @returns {string}
 */
export function makeLogDirectory() {
  return mkdtempSync(join(tmpdir(), 'offertory-logs-'));
}

/**
 * Checks all that was kept, and clears it away.
 * @param {string} directory
 * @throws {Error} with the first lines that tell what they must not
 */
export function checkLogs(directory) {
  const files = readdirSync(directory).map((name) => ({
    name,
    lines: readFileSync(join(directory, name), 'utf8').split('\n').filter(Boolean),
  }));
  rmSync(directory, { recursive: true, force: true });
  const secrets = files.flatMap(({ name, lines }) => (name.endsWith('.secrets') ? lines : []));
  const known = [...new Set(secrets)].map((secret) => String(JSON.parse(secret)));
  const faults = files
    .filter(({ name }) => !name.endsWith('.secrets'))
    .flatMap(({ name, lines }) => {
      /** @type {(line: string) => string[]} */
      const check = name.endsWith('.log')
        ? (line) => [...faultsOf(line, known), ...unexplained(line)]
        : (line) => leaksOf(line, known);
      return lines.flatMap((line) => check(line).map((fault) => `  ${name} ${fault}: ${line.slice(0, 500)}`));
    });
  if (faults.length === 0) return;
  throw new Error([`The services of this run left ${faults.length} faults behind:`, ...faults.slice(0, 20)].join('\n'));
}
