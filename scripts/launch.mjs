// dist/command-line/offertory.js: runs the bundled command line (scripts/bundle.mjs). V8's compiled code is stored beside
// the bundle. If it is missing or from another version of Node, V8 compiles the bundle as usual.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

// scripts/bundle.mjs writes the name here. It has a hash of the bundle, because V8 does not compare code with its script.
const NAME = 'BUNDLE';

const bundle = fileURLToPath(new URL(`${NAME}.cjs`, import.meta.url));
const code = fileURLToPath(new URL(`${NAME}.code`, import.meta.url));

const script = new vm.Script(`(function (require, __filename) {${readFileSync(bundle, 'utf8')}\n})`, {
  filename: bundle,
  cachedData: existsSync(code) ? readFileSync(code) : undefined,
  // Older versions of Node have no such constant; the bundle then says that it needs a newer one.
  importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
// Set only by scripts/bundle.mjs.
if (process.env.OFFERTORY_WRITE_CODE === '1') {
  process.once('exit', () => {
    writeFileSync(`${code}.new`, script.createCachedData());
    renameSync(`${code}.new`, code);
  });
}
if (process.env.OFFERTORY_CHECK_CODE === '1' && script.cachedDataRejected !== false) process.exit(3);
script.runInThisContext()(createRequire(bundle), bundle);
