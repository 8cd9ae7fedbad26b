import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';

/** Pictures of pages for people to look at; not in the repository. Drawing them takes longer than the tests. */
const DIRECTORY = new URL('../../screenshots/', import.meta.url).pathname;
const WANTED = process.env['SCREENSHOTS'] === '1';

/** With SCREENSHOTS=1, draws the whole page into this PNG file in screenshots/. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (WANTED) await page.screenshot({ path: `${DIRECTORY}${name}.png`, fullPage: true, timeout: 120_000 });
}

/** With SCREENSHOTS=1, keeps this file in screenshots/. */
export function keepFile(name: string, content: Buffer): void {
  if (!WANTED) return;
  const path = `${DIRECTORY}${name}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
