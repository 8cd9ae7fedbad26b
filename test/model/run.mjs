// @ts-check
// npm run test:model -- --seeds 50 --operations 2000: a long run of the model test, in two processes.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, operations: { type: 'string' }, seed: { type: 'string' } },
});
const first = number('seed', values.seed ?? String(randomInt(1, 1_000_000_000)));
const count = number('seeds', values.seeds ?? (values.seed === undefined ? '5' : '1'));
const operations = number('operations', values.operations ?? '500');
const seeds = Array.from({ length: count }, (_, index) => first + index);

console.log(`Seeds ${first} to ${first + count - 1}, ${operations} operations each.`);
const shares = [0, 1].map((share) => seeds.filter((_seed, index) => index % 2 === share));
const codes = await Promise.all(shares.filter((share) => share.length > 0).map(run));
process.exitCode = Math.max(...codes);

/**
 * Runs a share of the seeds with Jest, which starts the database and compiles the application.
 * @param {number[]} share
 * @returns {Promise<number>} the exit code
 */
function run(share) {
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const child = spawn(
    process.execPath,
    [...jest, '--config', 'test/model/jest.config.js', '--verbose=false', 'test/model'],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, CI: 'true', MODEL_SEEDS: share.join(','), MODEL_OPERATIONS: String(operations) },
    },
  );
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

/**
 * @param {string} name
 * @param {string} text
 */
function number(name, text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number from 1 to 999999999, not ${text}.`);
  process.exit(2);
}
