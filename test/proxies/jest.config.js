import base from '../../jest.config.js';

/** The service behind Caddy, nginx, HAProxy and Apache, and several churches behind one Caddy: `npm run test:proxies`. */
export default {
  ...base,
  rootDir: '../..',
  roots: ['<rootDir>/test/proxies'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 60_000,
  maxWorkers: 2,
};
