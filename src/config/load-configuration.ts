import { existsSync } from 'node:fs';
import { Configuration } from './configuration.js';
import { readConfiguration } from './read-configuration.js';

/**
 * This process's configuration: the environment, and below it the file `.env` of the working directory.
 * Called once by `main.ts` and `cli.ts`; nothing else reads `process.env`.
 * @throws InvalidConfigurationError naming every bad variable.
 */
export function loadConfiguration(defaultDataDir: string): Configuration {
  // Variables that are set already win over the file, as with docker compose.
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfiguration(process.env, {
    defaultDataDir,
    terminal: process.stdout.isTTY,
    startedByNpm: process.env['npm_lifecycle_event'] !== undefined,
  });
}
