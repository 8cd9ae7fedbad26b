import base from '../../jest.config.js';

/**
 * The fault tests: `npm run test:faults`. They measure times, so they run one after the other. The short form waits most of
 * the time, and its limits have room for a second test at the same time.
 */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/faults'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 900_000,
  maxWorkers: process.env.FAULTS === 'short' ? 2 : 1,
};
