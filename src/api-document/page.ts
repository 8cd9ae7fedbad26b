import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE_DIRECTORY = fileURLToPath(new URL('page', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** All files of the page, by their names in an address. A path is never built from a requested name. */
const FILES: Readonly<Record<string, { readonly path: string; readonly type: string }>> = {
  'page.js': { path: join(PAGE_DIRECTORY, 'page.js'), type: SCRIPT },
  'page.css': { path: join(PAGE_DIRECTORY, 'page.css'), type: STYLE },
  'swagger-ui-bundle.js': { path: join(SWAGGER_UI, 'swagger-ui-bundle.js'), type: SCRIPT },
  'swagger-ui.css': { path: join(SWAGGER_UI, 'swagger-ui.css'), type: STYLE },
};

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

/** Files that were read before: about two megabytes. They are cached because the page is public. */
const CACHE = new Map<string, Buffer>();

const HTML = readFileSync(join(PAGE_DIRECTORY, 'page.html'), 'utf8');

/** The page. @param files where its files are, relative to the page's address. */
export function pageHtml(files: string): string {
  return HTML.replaceAll('{{files}}', files);
}

/** A file of the page; undefined if there is none with this name. */
export function pageFile(name: string): { readonly content: Uint8Array; readonly type: string } | undefined {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (file === undefined) return undefined;
  const content = CACHE.get(name) ?? readFileSync(file.path);
  CACHE.set(name, content);
  return { content, type: file.type };
}
