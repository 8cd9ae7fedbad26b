// `npm run offertory`: the bundled command line (scripts/bundle.mjs), or the compiled one after `nest build` alone.
import { existsSync } from 'node:fs';

const bundled = new URL('../dist/command-line/offertory.js', import.meta.url);
await import(existsSync(bundled) ? bundled.href : new URL('../dist/src/cli.js', import.meta.url).href);
