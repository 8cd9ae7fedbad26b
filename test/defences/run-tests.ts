import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
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

interface JestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
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
  const options = [
    '--ci',
    '--runInBand',
    '--forceExit',
    '--json',
    `--outputFile=${report}`,
    '--testTimeout=90000',
    '-t',
    pattern,
  ];
  const child = spawn(process.execPath, [...jest, ...options, '--runTestsByPath', ...files], {
    cwd: tree,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  await once(child, 'close');
  if (!existsSync(report)) throw new Error(`Jest wrote no report:\n${errors}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as JestReport;
  return testResults.flatMap(({ message, assertionResults }) => {
    if (assertionResults.length === 0) throw new Error(`A test file could not be loaded:\n${message}`);
    return assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        title: fullName,
        failed: status === 'failed',
        reason: stripVTControlCharacters(failureMessages[0] ?? '').split('\n')[0] ?? '',
      }));
  });
}
