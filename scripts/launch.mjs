// dist/command-line/offertory.js: runs the bundled command line (scripts/bundle.mjs). V8's compiled code lies beside the
// bundle. Without it, and where another version of Node made it, V8 compiles the bundle as usual.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { constants, Script } from 'node:vm';

const bundle = fileURLToPath(new URL('offertory.cjs', import.meta.url));
const code = `${bundle}.code`;

const script = new Script(`(function (require, __filename) {${readFileSync(bundle, 'utf8')}\n})`, {
  filename: bundle,
  cachedData: existsSync(code) ? readFileSync(code) : undefined,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
// Set by scripts/bundle.mjs alone.
if (process.env.OFFERTORY_WRITE_CODE === '1') {
  process.once('exit', () => writeFileSync(code, script.createCachedData()));
}
script.runInThisContext()(createRequire(bundle), bundle);
