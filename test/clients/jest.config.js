import base from '../../jest.config.js';

/** The linters of the API's document, and the clients that are generated from it: `npm run test:clients`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/clients'],
  testPathIgnorePatterns: ['/node_modules/'],
  // Generators and compilers take all that there is.
  maxWorkers: 2,
};
