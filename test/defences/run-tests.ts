import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The result of one test. */
export interface TestResult {
  /** The names of its blocks and its own, separated by spaces. */
  readonly title: string;
  readonly failed: boolean;
  /** Why it failed: the first line. */
  readonly reason: string;
}

/** The results of a test file, as Jest gives them to reporters. */
interface FileResult {
  readonly failureMessage?: string | null;
  readonly testResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

/**
 * Runs the tests of these files whose titles begin with one of these texts, in a copy of the project.
 * @throws Error if a file cannot be loaded or the run gives no report.
 */
export async function runTests(
  tree: string,
  files: readonly string[],
  titles: readonly string[],
): Promise<TestResult[]> {
  const report = join(tree, 'report.json');
  rmSync(report, { force: true });
  const pattern = titles.map((title) => `^${title.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}`).join('|');
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  // Options of reporters cannot be given on the command line.
  const config = join(tree, 'defences.config.mjs');
  writeFileSync(
    config,
    `import base from './jest.config.js';
     export default { ...base, reporters: [['<rootDir>/test/defences/reporter.mjs', { file: ${JSON.stringify(report)} }]] };`,
  );
  const options = ['--config', config, '--ci', '--runInBand', '--forceExit', '--testTimeout=90000', '-t', pattern];
  const child = spawn(process.execPath, [...jest, ...options, '--runTestsByPath', ...files], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  await once(child, 'close');
  if (!existsSync(report)) throw new Error(`Jest wrote no report:\n${errors}`);
  const results = JSON.parse(readFileSync(report, 'utf8')) as FileResult[];
  return results.flatMap(({ failureMessage, testResults }) => {
    if (testResults.length === 0) throw new Error(`A test file could not be loaded:\n${failureMessage ?? ''}`);
    return testResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        title: fullName,
        failed: status === 'failed',
        reason: stripVTControlCharacters(failureMessages[0] ?? '').split('\n')[0] ?? '',
      }));
  });
}
