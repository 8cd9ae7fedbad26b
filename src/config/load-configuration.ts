import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  Church,
  Configuration,
  type DatabaseSettings,
  type HttpSettings,
  MODES,
  type WebhookSettings,
} from './configuration.js';
import { EnvironmentReader } from './environment-reader.js';
import {
  basePath,
  country,
  currency,
  databaseUrl,
  domain,
  emailList,
  factor,
  hostNames,
  integer,
  line,
  oneOf,
  portOrOff,
  publicUrl,
  secret,
  sender,
  slashDates,
  timeZone,
  trustedProxies,
  urlOf,
} from './variable-parsers.js';

/**
 * Reads the configuration from the environment and from the file `.env` in the working directory.
 * `main.ts` and `run-command.ts` call it once; nothing else reads `process.env`.
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

/** Facts outside the environment that decide defaults. */
export interface Surroundings {
  /** The default of `DATA_DIR`. */
  readonly defaultDataDir: string;
  /** True when a person reads the log at a terminal. */
  readonly terminal?: boolean;
  /** True for the process of an npm script. */
  readonly startedByNpm?: boolean;
}

/**
 * The configuration that an environment describes (docs/reference/settings.md).
 * @throws InvalidConfigurationError which names every invalid variable, but no value.
 */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
  { defaultDataDir, terminal = false, startedByNpm = false }: Surroundings,
): Configuration {
  const from = new EnvironmentReader(environment);
  const configuration = new Configuration({
    mode: from.read('OFFERTORY_MODE', 'live', oneOf(...MODES)),
    http: readHttp(from),
    database: readDatabase(from, defaultDataDir),
    mail: {
      smtpUrl: from.readSecret('SMTP_URL', undefined, urlOf('smtp:', 'smtps:')),
      from: from.read('MAIL_FROM', 'offertory@localhost', sender),
      retryFactor: from.read('MAIL_RETRY_FACTOR', 1, factor),
      financeEmails: from.read('FINANCE_EMAILS', [], emailList),
    },
    webhooks: readWebhooks(from),
    church: readChurch(from),
    loginFailuresPerMinute: from.read('LOGIN_FAILURES_PER_MINUTE', 10, integer(1, 1_000_000)),
    loginSecret: from.readSecret('LOGIN_SECRET', undefined, secret),
    log: {
      level: from.read('LOG_LEVEL', 'info', oneOf('error', 'warn', 'info', 'debug', 'verbose')),
      format: from.read('LOG_FORMAT', terminal ? 'pretty' : 'json', oneOf('pretty', 'json')),
    },
    metrics: {
      port: from.read('METRICS_PORT', undefined, portOrOff),
      host: from.read('METRICS_HOST', '127.0.0.1', line(255)),
      names: from.read('METRICS_NAMES', [], hostNames),
    },
    startedByNpm,
  });
  from.assertValid();
  return configuration;
}

function readHttp(from: EnvironmentReader): HttpSettings {
  return {
    port: from.read('PORT', 3000, integer(0, 65_535)),
    host: from.read('HOST', '127.0.0.1', line(255)),
    basePath: from.read('BASE_PATH', '', basePath),
    trustProxy: from.read('TRUST_PROXY', undefined, trustedProxies),
    publicUrl: from.read('PUBLIC_URL', undefined, publicUrl),
    domain: from.read('CHURCH_DOMAIN', undefined, domain),
    drainSeconds: from.read('DRAIN_SECONDS', 0, integer(0, 300)),
  };
}

function readDatabase(from: EnvironmentReader, defaultDataDir: string): DatabaseSettings {
  const url = from.readSecret('DATABASE_URL', undefined, databaseUrl);
  const migrationUrl = from.readSecret('MIGRATION_DATABASE_URL', undefined, databaseUrl);
  if (migrationUrl !== undefined && url === undefined) {
    from.fault('MIGRATION_DATABASE_URL', 'must come with DATABASE_URL');
  }
  return {
    url,
    migrationUrl,
    poolSize: from.read('DATABASE_POOL_SIZE', 10, integer(1, 500)),
    dataDir: from.read('DATA_DIR', undefined, (path) => resolve(path)) ?? defaultDataDir,
  };
}

function readWebhooks(from: EnvironmentReader): WebhookSettings {
  return {
    allowPrivate: from.read('WEBHOOK_ALLOW_PRIVATE', '0', oneOf('0', '1')) === '1',
    retryFactor: from.read('WEBHOOK_RETRY_FACTOR', 1, factor),
  };
}

const US_DOLLAR = { code: 'USD', minorUnits: 2 } as const;

function readChurch(from: EnvironmentReader): Church {
  const { code, minorUnits } = from.read('CHURCH_CURRENCY', US_DOLLAR, currency);
  const countryCode = from.read('CHURCH_COUNTRY', 'US', country);
  return new Church({
    name: from.read('CHURCH_NAME', 'Our Church', line(200)),
    timeZone: from.read('CHURCH_TIME_ZONE', 'UTC', timeZone),
    country: countryCode,
    currency: code,
    minorUnits,
    // Outside the US both orders are in use. A wrong guess would move gifts to other days, and into other years.
    slashDates: from.read('CHURCH_SLASH_DATES', countryCode === 'US' ? 'M/D/Y' : undefined, slashDates),
  });
}
