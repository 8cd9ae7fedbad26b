import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { openTestServer, useMemoryForFiles } from '../support/open-test-server.mjs';
import type { Defence } from './defence.js';
import { DEFENCES } from './defences.js';
import { runTests } from './run-tests.js';
import { Tree } from './tree.js';

// npm run test:defences: switches off each defence of docs/security.md in a copy of the project and expects its test to
// fail. DEFENCES=short runs a selection. Texts after -- select the defences whose names contain one of them.

/** Each run of Jest keeps about a core busy. */
const AT_ONCE = 2;

/** What is wrong with a defence or its test; undefined if the test fails as it should. */
type Fault = string | undefined;

const { positionals } = parseArgs({ allowPositionals: true });
const isSelected = ({ name, short }: Defence): boolean =>
  positionals.length > 0
    ? positionals.some((text) => name.toLowerCase().includes(text.toLowerCase()))
    : process.env['DEFENCES'] !== 'short' || short === true;
const selected = DEFENCES.filter(isSelected);
if (selected.length === 0) throw new Error('No defence has such a name.');

useMemoryForFiles();
const server = await openTestServer();
process.env['TEST_DATABASE_URL'] = server.url;
const trees = Array.from({ length: Math.min(AT_ONCE, selected.length) }, () => Tree.copy());
try {
  process.exitCode = await testAll();
} finally {
  for (const tree of trees) tree.remove();
  await server.stop();
}

/** @returns the exit code. */
async function testAll(): Promise<number> {
  const before = await checkWithDefences();
  if (before.length > 0) {
    print(`These tests must pass while all defences are on:\n  ${before.join('\n  ')}`);
    return 1;
  }
  const turn = pLimit(trees.length);
  const free = [...trees];
  const results = selected.map((defence) =>
    turn(async () => {
      const tree = free.pop();
      if (tree === undefined) throw new Error('More runs than copies');
      const fault = await testWithout(defence, tree);
      free.push(tree);
      print(fault === undefined ? `ok      ${defence.name}` : `FAILED  ${defence.name}: ${fault}`);
      return fault;
    }),
  );
  const failed = (await Promise.all(results)).filter((fault) => fault !== undefined).length;
  print(`${selected.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** The tests that fail or do not exist although no defence is off. It also fills the caches of Jest. */
async function checkWithDefences(): Promise<string[]> {
  const shares = trees.map((_tree, index) => selected.filter((_defence, i) => i % trees.length === index));
  const faults = await Promise.all(
    shares.map(async (share, index) => {
      const files = [...new Set(share.map(({ test }) => test.file))];
      const titles = [...new Set(share.map(({ test }) => test.title))];
      const results = await runTests(trees[index]?.path ?? '', files, titles);
      const failed = results.filter((result) => result.failed).map(({ title, reason }) => `${title}: ${reason}`);
      const missing = titles.filter((title) => !results.some((result) => result.title.startsWith(title)));
      return [...failed, ...missing.map((title) => `${title}: there is no such test`)];
    }),
  );
  return faults.flat();
}

async function testWithout(defence: Defence, tree: Tree): Promise<Fault> {
  const { file, title } = defence.test;
  let switchOn: (() => void) | undefined;
  try {
    switchOn = tree.switchOff(defence);
    const results = await runTests(tree.path, [file], [title]);
    return results.some(({ failed }) => failed) ? undefined : `nothing fails in ${file}: ${title}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    switchOn?.();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
