import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OURS = fileURLToPath(new URL('page', import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The only files there are, by their names in an address; no path is ever made of what was asked for. */
const FILES: Readonly<Record<string, { readonly path: string; readonly type: string }>> = {
  'page.js': { path: join(OURS, 'page.js'), type: SCRIPT },
  'page.css': { path: join(OURS, 'page.css'), type: STYLE },
  'swagger-ui-bundle.js': { path: join(SWAGGER_UI, 'swagger-ui-bundle.js'), type: SCRIPT },
  'swagger-ui.css': { path: join(SWAGGER_UI, 'swagger-ui.css'), type: STYLE },
};

/**
 * What the page may do: run and fetch what comes from here, and show pictures that Swagger UI's style sheet holds
 * itself. No script and no style may stand in the page.
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

/** Kept, since everybody may ask for them: two megabytes. */
const READ = new Map<string, Buffer>();

const HTML = readFileSync(join(OURS, 'page.html'), 'utf8');

/** The page; `files` is where its files are, as seen from its own address. */
export function pageHtml(files: string): string {
  return HTML.replaceAll('{{files}}', files);
}

/** A file of the page; undefined: there is none of this name. */
export function pageFile(name: string): { readonly content: Uint8Array; readonly type: string } | undefined {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (file === undefined) return undefined;
  const content = READ.get(name) ?? readFileSync(file.path);
  READ.set(name, content);
  return { content, type: file.type };
}
