import base from '../../jest.config.js';

/** The fault tests: `npm run test:faults`. One after the other, since they measure. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 900_000,
  maxWorkers: 1,
};
