import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Login, TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { startBrowser, type WatchedPage, watchedPage } from './browser.js';
import { keepFile, takePicture } from './pictures.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const WIDTHS = [320, 768, 1280] as const;
/** Where axe looks: up to this width rows are blocks, above they are rows of a table. */
const CHECKED_WIDTHS: readonly number[] = [320, 1280];
const HEIGHT = 900;

export const TREASURER: Login = ['treasurer', 'correct horse battery'];

/** The most actions that a job may take, from the home page on. */
export const MOST_ACTIONS = 6;

export const COLOUR_SCHEMES = ['light', 'dark'] as const;

/** A page of the console: a name for its picture, and its path. */
export type NamedPage = readonly [name: string, path: string];

/** The console of a service in Chromium, used by the treasurer. */
export class ConsoleInBrowser {
  private constructor(
    readonly browser: Browser,
    /** Name and port. */
    readonly host: string,
  ) {}

  /** Creates the treasurer. */
  static async open(service: TestApp): Promise<ConsoleInBrowser> {
    await service.createUser(...TREASURER, ['Finance'], 'treasurer@example.org');
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    return new ConsoleInBrowser(await startBrowser(), `127.0.0.1:${port}`);
  }

  close(): Promise<void> {
    return this.browser.close();
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  /** A page without a login. */
  visit(width = 1280, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    return watchedPage(this.browser, this.host, width, HEIGHT, options);
  }

  /** The home page after the login. */
  async logIn(width = 1280, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await this.visit(width, options);
    await watched.page.goto(this.url('/console'));
    await fillLogin(watched.page);
    await watched.page.waitForURL(this.url('/console'));
    return watched;
  }

  /** Plays a job with the keyboard alone, from the home page on. It may take {@link MOST_ACTIONS}. */
  async play(job: (person: AtKeyboard) => Promise<void>): Promise<void> {
    const { page, complaints } = await this.logIn();
    const person = new AtKeyboard(page);
    await job(person);
    expect(person.actions).toBeLessThanOrEqual(MOST_ACTIONS);
    expect(complaints).toEqual([]);
    await page.context().close();
  }

  /** Expects that pages are accessible and fit at all widths, and draws them. */
  async expectGoodPages(colorScheme: (typeof COLOUR_SCHEMES)[number], pages: readonly NamedPage[]): Promise<void> {
    const { page, complaints } = await this.logIn(1280, { colorScheme });
    for (const [name, path] of pages) {
      await page.goto(this.url(path));
      await expectGoodPage(page, name, colorScheme);
    }
    expect(complaints.filter((line) => !/status of (400|404)/.test(line))).toEqual([]);
    await page.context().close();
  }

  /** Prints a page on both sizes of paper. */
  async print(page: Page, name: string): Promise<void> {
    for (const format of ['Letter', 'A4'] as const) {
      const printed = await page.pdf({ format });
      expect(printed.length).toBeGreaterThan(1_000);
      keepFile(`console/${name}-${format}.pdf`, printed);
    }
  }
}

/** Fills in the form of the login with the keyboard. Its first field has the focus by itself. */
export async function fillLogin(page: Page, [username, password]: Login = TREASURER): Promise<void> {
  await page.waitForFunction(`document.activeElement.name === 'username'`);
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

/** Expects that the page is accessible, and fits at all widths, and draws it. */
export async function expectGoodPage(page: Page, name: string, colorScheme: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    const headings = await page.locator('h1').count();
    const found = {
      name,
      width,
      headings,
      fits: needed <= width,
      violations: CHECKED_WIDTHS.includes(width) ? await violations(page) : [],
    };
    expect(found).toEqual({ name, width, headings: 1, fits: true, violations: [] });
    await takePicture(page, `console/${name}-${width}-${colorScheme}`);
  }
}

/**
 * What axe-core finds: the rule and the element, one line each.
 * @param part a CSS selector of the part to look at; by default the whole page
 */
export async function violations(page: Page, part?: string): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: { type: 'tag', values: RULES } });
  const context = part === undefined ? 'document' : JSON.stringify(part);
  const found = await page.evaluate<AxeResults>(`axe.run(${context}, ${options})`);
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/**
 * Somebody with a keyboard only. A key that leads to another page or changes something is an action. Typing a value, and
 * moving the focus with Tab, j, k or /, is not.
 */
export class AtKeyboard {
  actions = 0;

  constructor(readonly page: Page) {}

  /** Presses keys that act on the page: "x", or "g b". */
  async press(keys: string): Promise<void> {
    this.actions++;
    for (const key of keys.split(' ')) await this.page.keyboard.press(key);
  }

  /** Moves the focus: j, k, /. */
  move(key: string): Promise<void> {
    return this.page.keyboard.press(key);
  }

  /** Presses keys that lead to another page, and waits for it. */
  async go(keys: string): Promise<void> {
    const before = await this.page.evaluate<number>('performance.timeOrigin');
    await this.press(keys);
    // While a page is being left, it cannot be asked.
    const isThere = `performance.timeOrigin !== ${before} && document.readyState === 'complete'`;
    await until(async () => this.page.evaluate<boolean>(isThere).catch(() => false));
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  /** Goes with Tab to the element whose text, without its key, or whose field name is this. */
  async reach(label: string): Promise<void> {
    for (let step = 0; step < 80; step++) {
      await this.page.keyboard.press('Tab');
      const found = await this.page.evaluate<boolean>(`{
        const shown = document.activeElement.cloneNode(true);
        for (const key of shown.querySelectorAll('kbd')) key.remove();
        [document.activeElement.name, shown.textContent.trim()].includes(${JSON.stringify(label)});
      }`);
      if (found) return;
    }
    throw new Error(`Tab never leads to ${label}`);
  }

  /** Opens the gifts or people, searches, and opens the first that is found: three pages. */
  async find(letter: 'g' | 'p', text: string): Promise<void> {
    await this.go(`g ${letter}`);
    await this.move('/');
    await this.type(text);
    await this.go('Enter');
    await this.move('j');
    await this.go('Enter');
  }

  text(): Promise<string> {
    return this.page.locator('main').innerText();
  }

  heading(): Promise<string> {
    return this.page.locator('h1').innerText();
  }

  /** What the page says about the last action. */
  message(): Promise<string> {
    return this.page.getByRole('status').innerText();
  }

  path(): string {
    const { pathname, search } = new URL(this.page.url());
    return pathname + search;
  }
}
