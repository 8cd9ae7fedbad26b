import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PROGRAM = PLACES.find(existsSync);

/** Whether Chromium is installed; CI installs it with .ci/install-chromium. */
export const chromiumIsThere = PROGRAM !== undefined;

/** A page, and what it did that it should not do. */
export interface WatchedPage {
  readonly page: Page;
  /** Requests to other hosts, violations of the policy, errors: one line each. */
  readonly complaints: readonly string[];
}

/** A headless browser that makes no requests of its own. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(PROGRAM !== undefined && { executablePath: PROGRAM }),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
      // Names that end in .test are this machine. Unlike 127.0.0.1 they get no Fetch Metadata over plain HTTP.
      '--host-resolver-rules=MAP *.test 127.0.0.1',
    ],
  });
}

/** A page of this size that records its complaints. */
export async function watchedPage(
  browser: Browser,
  host: string,
  width: number,
  height: number,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await browser.newPage({ ...options, viewport: { width, height } });
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.host !== host) complaints.push(`asks for ${url.href}`);
  });
  // Chromium reports violations of the policy as console errors.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`throws ${error.message}`));
  return { page, complaints };
}
