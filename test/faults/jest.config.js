import base from '../../jest.config.js';

/** The fault tests: `npm run test:faults`. They run one after the other because they measure times. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 900_000,
  maxWorkers: 1,
};
