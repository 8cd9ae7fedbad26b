import base from '../../jest.config.js';

/**
 * Random operations compared with a model, and random changes of valid calls, with fixed seeds: `npm run test:random`. Longer
 * runs with other seeds are `npm run test:model` and `npm run test:fuzz`.
 */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/model', '<rootDir>/test/fuzz'],
  testPathIgnorePatterns: ['/node_modules/'],
};
