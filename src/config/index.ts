export { ConfigModule } from './config.module.js';
export { Church, Configuration } from './configuration.js';
export type { DatabaseSettings, HttpSettings, LogSettings, MetricsSettings } from './configuration.js';
export { VariableFault } from './environment.js';
export { loadConfiguration } from './load-configuration.js';
export { readConfiguration } from './read-configuration.js';
export { databaseUrl } from './variables.js';
