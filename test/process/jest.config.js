import base from '../../jest.config.js';

/** Commands, imports and the service as processes: `npm run test:process`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/process'],
  testPathIgnorePatterns: ['/node_modules/'],
};
