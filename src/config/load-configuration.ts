import { existsSync } from 'node:fs';
import { Configuration } from './configuration.js';
import { readConfiguration } from './read-configuration.js';

/**
 * Reads the configuration from the environment and from the file `.env` in the working directory.
 * `main.ts` and `cli.ts` call it once; nothing else reads `process.env`.
 * @throws InvalidConfigurationError which names every invalid variable.
 */
export function loadConfiguration(defaultDataDir: string): Configuration {
  // Variables that are already set take precedence over the file, as with docker compose.
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfiguration(process.env, {
    defaultDataDir,
    terminal: process.stdout.isTTY,
    startedByNpm: process.env['npm_lifecycle_event'] !== undefined,
  });
}
