import base from '../../jest.config.js';

/** The page in a real browser: `npm run test:browser`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  // A test looks at all pages, while browsers of other tests share the cores.
  testTimeout: 600_000,
};
