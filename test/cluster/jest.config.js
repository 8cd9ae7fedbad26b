import base from '../../jest.config.js';

/** Failovers of a cluster under load: `npm run test:cluster`. One test measures times, so nothing runs beside it. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/cluster'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 3_600_000,
  maxWorkers: 1,
};
