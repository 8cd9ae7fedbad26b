// npm run docs:reference: writes docs/reference/ and docs/adr/README.md from the compiled program, .env.example and the
// decision records.
import { readFileSync, writeFileSync } from 'node:fs';
import { readDecisions } from './reference/read-decisions.js';
import { type Program, referencePages } from './reference/reference-pages.js';

const ROOT = new URL('../', import.meta.url);

/** Imports a compiled file, because the program needs decorator metadata, which tsx does not emit. */
async function compiled(file: string): Promise<object> {
  return (await import(new URL(`dist/src/${file}`, ROOT).href)) as object;
}

const parts = ['app.module.js', 'api-document/api-document.service.js', 'commands.js', 'config/index.js'];
const program = Object.assign({}, ...(await Promise.all(parts.map(compiled)))) as Program;
const pages = await referencePages(program, readFileSync(new URL('.env.example', ROOT), 'utf8'), readDecisions(ROOT));
for (const [name, text] of Object.entries(pages)) writeFileSync(new URL(`docs/${name}`, ROOT), text);
