import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PROGRAM = PLACES.find(existsSync);

/** Whether there is a Chromium; CI's machine gets one by .ci/install-chromium. */
export const chromiumIsThere = PROGRAM !== undefined;

/** What a page did that it should not have done. */
export interface WatchedPage {
  readonly page: Page;
  /** Requests to other hosts, violations of the policy, errors: one line each. */
  readonly complaints: readonly string[];
}

/** A browser without a window, which calls nobody of its own accord. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(PROGRAM !== undefined && { executablePath: PROGRAM }),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync'],
    ],
  });
}

/** A page of this size, which notes everything that it should not do. */
export async function watchedPage(browser: Browser, host: string, width: number, height: number): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width, height } });
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.host !== host) complaints.push(`asks for ${url.href}`);
  });
  // Chromium tells violations of a policy as errors of the console.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`throws ${error.message}`));
  return { page, complaints };
}
