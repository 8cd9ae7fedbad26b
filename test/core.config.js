import base from '../jest.config.js';

/** `npm test`: rules, the architecture, and what donation processors get. The other tests need more than three minutes. */
export default {
  ...base,
  rootDir: '..',
  testPathIgnorePatterns: [
    ...base.testPathIgnorePatterns,
    '<rootDir>/test/database/',
    '<rootDir>/test/e2e/',
    '<rootDir>/test/finance/',
  ],
};
