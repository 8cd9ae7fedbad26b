// npm run docs:screenshots: creates the pictures of docs/finance.md from the church of the demo. Needs Chromium.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/browser/browser.js';

const ROOT = new URL('../', import.meta.url).pathname;
const PICTURES = join(ROOT, 'docs/images');

/** The largest size of all pictures together, in bytes. */
const MOST_BYTES = 1_500_000;

const WIDTH = 1000;
const HEIGHT = 640;

/** A picture: its name, the path of a page, and the links and buttons that lead from there to the pictured page. */
type Picture = readonly [name: string, path: string, ...presses: string[]];

const FIRST_ROW = '.rows a';

const PICTURES_OF_THE_CONSOLE: readonly Picture[] = [
  ['home', '/console'],
  ['gifts', '/console/gifts?method=check&minAmount=100'],
  ['gift', '/console/gifts?reason=chargeback', FIRST_ROW],
  ['take-back', '/console/gifts?method=card&status=Recorded', FIRST_ROW, '[data-hotkey=t]'],
  ['review', '/console/reviews', FIRST_ROW],
  ['bundles', '/console/bundles?status=Open'],
  ['bundle-close', '/console/bundles?status=Open', FIRST_ROW, '[data-hotkey=c]'],
  ['deposits', '/console/deposits'],
  ['statement', '/console/deposits/statement'],
  ['deposit', '/console/deposits?status=Differs', FIRST_ROW],
  ['import', '/console/import'],
  ['person', '/console/people?q=an', FIRST_ROW],
  ['funds', '/console/funds'],
  ['totals', '/console/totals'],
  ['changes', '/console/changes'],
  ['notices', '/console/notices?status=failed'],
];

interface RunningDemo {
  readonly url: string;
  readonly password: string;
  stop(): Promise<void>;
}

/** Starts the demo in a new directory. */
async function startDemo(): Promise<RunningDemo> {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-screenshots-'));
  // If this runs as root, the database runs as another user, who needs access to the directory.
  chmodSync(directory, 0o755);
  const port = await freePort();
  const args = [join(ROOT, 'node_modules/tsx/dist/cli.mjs'), join(ROOT, 'demo/run.ts')];
  const options = ['--port', String(port), '--directory', join(directory, 'data')];
  const child = spawn(process.execPath, [...args, ...options], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(directory, { recursive: true, force: true });
  };
  const password = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /^ {2}treasurer +(\S+)/m.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The demo ended with ${code ?? 'a signal'}`)));
  });
  return { url: `http://127.0.0.1:${port}`, password, stop };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function logIn(page: Page, { url, password }: RunningDemo): Promise<void> {
  await page.goto(`${url}/console`);
  await page.fill('[name=username]', 'treasurer');
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${url}/console`);
}

async function draw(demo: RunningDemo): Promise<void> {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    await logIn(page, demo);
    for (const [name, path, ...presses] of PICTURES_OF_THE_CONSOLE) {
      await page.goto(demo.url + path);
      for (const pressed of presses) {
        const before = page.url();
        await page.locator(pressed).first().click();
        await page.waitForURL((url) => url.href !== before);
      }
      await page.screenshot({ path: join(PICTURES, `console-${name}.png`) });
    }
  } finally {
    await browser.close();
  }
}

mkdirSync(PICTURES, { recursive: true });
const demo = await startDemo();
try {
  await draw(demo);
} finally {
  await demo.stop();
}
const bytes = PICTURES_OF_THE_CONSOLE.map(([name]) => statSync(join(PICTURES, `console-${name}.png`)).size).reduce(
  (a, b) => a + b,
  0,
);
process.stdout.write(`${PICTURES_OF_THE_CONSOLE.length} pictures, ${Math.round(bytes / 1000)} kB\n`);
if (bytes > MOST_BYTES) throw new Error(`The pictures are larger than ${MOST_BYTES / 1000} kB together`);
