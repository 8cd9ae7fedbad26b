// @ts-check
// Plain JavaScript, because the global teardown imports it without Jest's transforms.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Patterns of the personal data of givers in tests (gift() of test-app.ts, giver() of givers.ts) and of credentials.
 * @type {readonly (readonly [what: string, shape: RegExp])[]}
 */
const TELLTALES = [
  ['an e-mail address', /[\w.+-]+@[\w-]+(\.[\w-]+)+/],
  // Digits without separators are ignored inside a UUID.
  ['a phone number', /(?<!\d)(\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}(?!\d)|(?<![\w-])1?(901|615)\d{7}(?![\w-])/],
  ['a giver’s name', /\b(Ann|Lee)(\b|[a-z]*\d|[a-z]+k\b)|Appleseed/],
  ['a giver’s notes or address', /(?<!WEBHOOK_ALLOW_)PRIVATE/],
  [
    'credentials',
    /\bauthorization\b|\bbasic +[A-Za-z0-9+/]{6}|offt_[\w-]{6}|whsec_[\w+/]{6}|:\/\/[^/\s:@]+:[^/\s@]+@/i,
  ],
];

/**
 * The faults of a text that contains personal data or secrets, in words.
 * @param {string} text
 * @param {readonly string[]} secrets passwords and the like, which have no pattern
 * @returns {string[]}
 */
export function leaksOf(text, secrets = []) {
  const leaks = TELLTALES.flatMap(([what, shape]) => (shape.test(text) ? [`tells ${what}`] : []));
  return secrets.some((secret) => text.includes(secret)) ? [...leaks, 'tells a password'] : leaks;
}

/**
 * The faults of a line of a log, which must also be a whole entry.
 * @param {string} line
 * @param {readonly string[]} secrets
 * @returns {string[]}
 */
export function faultsOf(line, secrets = []) {
  return isEntry(line) ? leaksOf(line, secrets) : [...leaksOf(line, secrets), 'is no entry in JSON'];
}

/** The messages that docs/operating.md explains to operators, in "When this happens, do that". */
const EXPLAINED = explained(readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8'));

/**
 * The messages in the rows of the table: `log error "Delivery … is given up"`, where … is anything.
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
 * The fault of a warning or error that docs/operating.md does not explain.
 * @param {string} line
 * @returns {string[]}
 */
export function unexplained(line) {
  if (!isEntry(line)) return [];
  const { level, message, context } = JSON.parse(line);
  // Only tests have two applications in one process.
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
 * Makes a directory for the logs and jobs of a run, which kept-logs.ts fills: NAME.log has the lines of the logs,
 * NAME.jobs the rows of the queues, NAME.secrets the credentials that were sent.
 * @returns {string}
 */
export function makeLogDirectory() {
  return mkdtempSync(join(tmpdir(), 'offertory-logs-'));
}

/**
 * Checks everything in the directory and removes it.
 * @param {string} directory
 * @throws {Error} with the first lines at fault
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
