// npm run docs:picture: creates docs/images/reversal.png from a real first start, the two commands that it prints, and
// the mail that Finance gets. Needs curl and Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { simpleParser } from 'mailparser';
import { startBrowser } from '../test/browser/browser.js';

const ROOT = new URL('../', import.meta.url).pathname;
const PICTURE = join(ROOT, 'docs/images/reversal.png');
const PORT = '3977';

interface Exchange {
  readonly command: string;
  readonly answer: string;
}

/** Starts the service on a new database, and runs the commands that it prints. */
async function firstStart(directory: string): Promise<{ exchanges: Exchange[]; mail: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js')], {
    cwd: directory,
    env: {
      PATH: process.env['PATH'],
      PORT,
      METRICS_PORT: 'off',
      DATA_DIR: join(directory, 'data'),
      CHURCH_NAME: 'Grace Church',
      CHURCH_TIME_ZONE: 'America/Chicago',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let greeting = '';
  child.stderr.on('data', (chunk: Buffer) => (greeting += chunk.toString()));
  try {
    await until(() => greeting.includes('.eml'));
    const commands = greeting.split('\n').filter((line) => line.startsWith('curl '));
    const exchanges = commands.map((command) => ({ command, answer: run(command) }));
    const mails = join(directory, 'data', 'mail');
    await until(() => existsSync(mails) && readdirSync(mails).some((name) => name.endsWith('.eml')));
    const [file = ''] = readdirSync(mails).filter((name) => name.endsWith('.eml'));
    const { html } = await simpleParser(readFileSync(join(mails, file)));
    return { exchanges, mail: String(html) };
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}

function run(command: string): string {
  return execFileSync('/bin/sh', ['-c', `${command} --silent --fail-with-body`], { encoding: 'utf8' });
}

async function until(isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (isDone()) return;
    await sleep(100);
  }
  throw new Error('The service did not become ready, or sent no mail, within a minute');
}

function page(exchanges: readonly Exchange[], mail: string): string {
  const panels = exchanges.map(({ command, answer }, i) => {
    const shown = command
      .replace(/api:\S+/, 'api:…')
      .replace(PORT, '3000')
      .replaceAll(/ (?=-H|-d|-X|http)/g, ' \\\n  ');
    const json = JSON.stringify(JSON.parse(answer), null, 2);
    return `<h2>${i + 1}. ${TITLES[i] ?? ''}</h2><pre>${escape(shown)}</pre><pre class="answer">${escape(json)}</pre>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style>
    <main><div>${panels.join('')}</div><div><h2>3. Finance gets a mail</h2><iframe srcdoc="${escape(mail)}"></iframe></div></main>`;
}

const TITLES = ['A processor records a gift', 'It takes the gift back'];

const STYLE = `
  body { margin: 0; background: #f3f4f6; color: #1f2937; font: 15px Arial, Helvetica, sans-serif }
  main { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; padding: 8px 24px 24px; height: calc(100vh - 32px) }
  main > div { display: flex; flex-direction: column }
  h2 { margin: 16px 0 8px; font-size: 17px }
  pre { margin: 0; padding: 10px 12px; background: #1f2937; color: #f9fafb; font: 13px/1.4 monospace; white-space: pre-wrap; overflow-wrap: anywhere }
  pre.answer { background: #fff; color: #1f2937; border: 1px solid #d1d5db }
  iframe { flex: 1; border: 1px solid #d1d5db; background: #fff }
`;

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

async function draw(html: string): Promise<void> {
  const browser = await startBrowser();
  try {
    const view = await browser.newPage({ viewport: { width: 1120, height: 810 } });
    await view.setContent(html);
    await view.locator('iframe').contentFrame().locator('ol').waitFor();
    await view.screenshot({ path: PICTURE });
  } finally {
    await browser.close();
  }
}

const directory = mkdtempSync(join(tmpdir(), 'offertory-picture-'));
// If this runs as root, the database runs as another user, who needs access to the directory.
chmodSync(directory, 0o755);
try {
  const { exchanges, mail } = await firstStart(directory);
  await draw(page(exchanges, mail));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
