export { ConfigModule } from './config.module.js';
export { Church, Configuration } from './configuration.js';
export type { DatabaseSettings, HttpSettings, LogSettings, MetricsSettings, SlashDates } from './configuration.js';
export { DAY_PATTERN, isDay } from './day.js';
export { VariableFault } from './environment.js';
export { loadConfiguration } from './load-configuration.js';
export { readConfiguration } from './read-configuration.js';
export { displayAmount, type MinorUnits, minorUnitsOf } from './currency.js';
export { databaseUrl } from './variables.js';
