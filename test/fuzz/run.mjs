// @ts-check
// npm run test:fuzz -- [--inputs N] [--seed S] [--path P] [--program]: fuzzes the service (CONTRIBUTING.md).
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    path: { type: 'string' },
    program: { type: 'boolean', default: false },
  },
});
for (const name of /** @type {const} */ (['inputs', 'seed'])) {
  if (!/^-?\d+$/.test(values[name])) {
    console.error(`--${name} must be a whole number`);
    process.exit(2);
  }
}
console.log(`${values.inputs} inputs, seed ${values.seed}`);

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const { status } = spawnSync(
  process.execPath,
  [...jest, '--config', 'test/model/jest.config.js', '--runInBand', 'test/fuzz'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_INPUTS: values.inputs,
      FUZZ_SEED: values.seed,
      FUZZ_SERVICE: values.program ? 'program' : 'here',
      ...(values.path !== undefined && { FUZZ_PATH: values.path }),
    },
  },
);
process.exitCode = status ?? 1;
