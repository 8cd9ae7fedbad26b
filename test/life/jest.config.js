import base from '../../jest.config.js';

/** Backup, restore, move and upgrade of an installation: `npm run test:life`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/life'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 300_000,
  maxWorkers: 2,
};
