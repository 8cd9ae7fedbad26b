import { availableParallelism } from 'node:os';

/** The options of swc for files with or without TSX. */
const compiler = ({ tsx }) => ({
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true, tsx },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      react: { runtime: 'automatic', importSource: 'preact' },
    },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
});

/** Native ES modules, compiled by swc; see docs/architecture.md, "Tests". */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/migrations', '<rootDir>/examples'],
  testMatch: ['**/*.spec.ts'],
  // These take their time: npm run test:process, test:random, test:faults, test:life. This needs a browser: npm run
  // test:browser. This needs packages of its own: npm run test:clients. These need other servers: npm run test:proxies,
  // test:cluster.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/process/',
    '<rootDir>/test/model/',
    '<rootDir>/test/fuzz/',
    '<rootDir>/test/faults/',
    '<rootDir>/test/cluster/',
    '<rootDir>/test/life/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/proxies/',
  ],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Its ES modules import JSON without an attribute, which Jest warns of at every import.
    '^libphonenumber-js/max$': '<rootDir>/node_modules/libphonenumber-js/max/index.cjs',
  },
  transform: {
    '^.+\\.ts$': ['@swc/jest', compiler({ tsx: false })],
    '^.+\\.tsx$': ['@swc/jest', compiler({ tsx: true })],
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  // Generous: it must hold on a busy machine, and what is slow by mistake has a bound of its own.
  testTimeout: 180_000,
  // Many tests wait: for a job, a lock, a process that starts. Jest's own choice, a core less than there are, idles.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // Jest does not free the modules of a finished test file. Without this limit a worker grows to more than 2 GB.
  workerIdleMemoryLimit: '600MB',
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.{ts,tsx}', '!src/**/*.spec.ts'],
};
