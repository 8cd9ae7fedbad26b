import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mode } from '../config/index.js';
import { Compressible } from '../http/index.js';
import { testSystemHtml } from '../pages/index.js';

const PAGE_DIRECTORY = fileURLToPath(new URL('page', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** All files of the page. A path is never built from a requested name. */
const FILES = {
  'page.js': { path: join(PAGE_DIRECTORY, 'page.js'), type: SCRIPT },
  'page.css': { path: join(PAGE_DIRECTORY, 'page.css'), type: STYLE },
  'swagger-ui-bundle.js': { path: join(SWAGGER_UI, 'swagger-ui-bundle.js'), type: SCRIPT },
  'swagger-ui.css': { path: join(SWAGGER_UI, 'swagger-ui.css'), type: STYLE },
} as const;

/**
 * The page may load scripts and data from this service, and show pictures that are embedded in Swagger UI's style
 * sheet. Inline scripts and styles are not allowed.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

interface PageFiles {
  /** By their names in an address, which contain a hash of the content. So browsers may keep each one for ever. */
  readonly byAddress: ReadonlyMap<string, Compressible>;
  readonly html: string;
}

let pageFiles: PageFiles | undefined;

/** Read with the first visit, because commands load this module too: two megabytes. */
function readOnce(): PageFiles {
  pageFiles ??= readFiles();
  return pageFiles;
}

function readFiles(): PageFiles {
  const byAddress = new Map<string, Compressible>();
  let html = readFileSync(join(PAGE_DIRECTORY, 'page.html'), 'utf8');
  for (const [name, { path, type }] of Object.entries(FILES)) {
    const content = readFileSync(path);
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
    const address = name.replace(/\.(\w+)$/, `.${hash}.$1`);
    byAddress.set(address, new Compressible(content, type));
    html = html.replaceAll(`{{files}}/${name}`, `{{files}}/${address}`);
  }
  return { byAddress, html };
}

/** That calls are real. */
const WARNING = /<p class="warning">.*?<\/p>/s;

/**
 * The page. That of a test system says so in place of the warning.
 * @param files where its files are, relative to the page's address.
 */
export function pageHtml(files: string, mode: Mode): string {
  const html = readOnce().html.replaceAll('{{files}}', files);
  return mode === 'live' ? html : html.replace(WARNING, testSystemHtml);
}

/** A file of the page; undefined if there is none with this name. */
export function pageFile(name: string): Compressible | undefined {
  return readOnce().byAddress.get(name);
}
