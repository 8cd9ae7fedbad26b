// @ts-check
import { writeFileSync } from 'node:fs';

/** Writes the results before the global teardown, which fails the run if a test without a defence logs personal data. */
export default class Reporter {
  /**
   * @param {unknown} _config
   * @param {{ readonly file: string }} options
   */
  constructor(_config, options) {
    this.file = options.file;
  }

  /**
   * @param {unknown} _contexts
   * @param {{ readonly testResults: readonly object[] }} results
   */
  onRunComplete(_contexts, { testResults }) {
    writeFileSync(this.file, JSON.stringify(testResults));
  }
}
