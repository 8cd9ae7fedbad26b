export { ConfigModule } from './config.module.js';
export { Church, Configuration } from './configuration.js';
export type { DatabaseSettings, HttpSettings, LogSettings, MetricsSettings, Mode } from './configuration.js';
export { VariableFault } from './environment-reader.js';
export { loadConfiguration, readConfiguration } from './load-configuration.js';
export { databaseUrl } from './variable-parsers.js';
