import base from '../../jest.config.js';

/** The life of an installation, from its first database to the next version: `npm run test:life`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/life'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
  maxWorkers: 2,
};
