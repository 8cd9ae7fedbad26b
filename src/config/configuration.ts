import type { MinorUnits, SlashDates } from '../values/index.js';

/**
 * What an instance is for: the books of the church, or a place where developers of processors try their programs out (ADR
 * 61).
 */
export const MODES = ['live', 'test'] as const;

export type Mode = (typeof MODES)[number];

/** Where and how the HTTP server listens. */
export interface HttpSettings {
  readonly port: number;
  readonly host: string;
  /** The path in front of `/Api`, with a leading and no trailing slash; may be empty. */
  readonly basePath: string;
  /** Express's `trust proxy`: a number of hops or a list of addresses. Undefined: no proxy is trusted. */
  readonly trustProxy: number | readonly string[] | undefined;
  /** The address that callers use, if a proxy changes the Host header. */
  readonly publicUrl: string | undefined;
  /** The domain of the HTTPS proxy, for the doctor's TLS check. */
  readonly domain: string | undefined;
  /** How long calls are still accepted after a signal to stop, in seconds. */
  readonly drainSeconds: number;
}

/** How the database is reached. */
export interface DatabaseSettings {
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  readonly url: string | undefined;
  /** Connects as the owner of the schema, for migrations. Undefined: `url` is used, and its role owns the tables. */
  readonly migrationUrl: string | undefined;
  /** Connections of this process for requests; the queue has two more. */
  readonly poolSize: number;
  readonly dataDir: string;
}

/** How notices are sent. */
export interface MailSettings {
  /** Undefined: every mail is written as an .eml file under `DATA_DIR`/mail. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  /** Multiplies the waits before another attempt: 1, or less to try the service out. */
  readonly retryFactor: number;
  /** Receive the notice of every reversal, besides the users with the role Finance. */
  readonly financeEmails: readonly string[];
}

/** Where webhooks may go. */
export interface WebhookSettings {
  /** Whether they may go to private and loopback addresses, and over plain HTTP. */
  readonly allowPrivate: boolean;
  /** Multiplies the waits before another attempt: 1, or less to try the service out. */
  readonly retryFactor: number;
}

export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'verbose';

/** How the service logs. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly format: 'pretty' | 'json';
}

/** Where metrics for Prometheus are served. */
export interface MetricsSettings {
  /** 0: any free port. Undefined: the default port, if it is free. */
  readonly port: number | 'off' | undefined;
  readonly host: string;
  /** Further host names by which Prometheus addresses this service. */
  readonly names: readonly string[];
}

/** The church that owns the books: how dates, phone numbers and amounts are read, and the sender of mails. */
export class Church {
  readonly name!: string;
  /** IANA zone, in which a gift's day is determined. */
  readonly timeZone!: string;
  /** ISO 3166 alpha-2; the country of phone numbers without a country code. */
  readonly country!: string;
  /** ISO 4217. */
  readonly currency!: string;
  /** Decimals of the currency: 2 for USD, 0 for JPY. */
  readonly minorUnits!: MinorUnits;
  /** How `3/4/2026` is read. Undefined: such a date is refused, because it is ambiguous. */
  readonly slashDates!: SlashDates | undefined;

  constructor(fields: Omit<Church, 'withSlashDates'>) {
    Object.assign(this, fields);
    Object.freeze(this);
  }

  /** A copy of this church with another order of day and month, for dates that somebody else wrote. */
  withSlashDates(slashDates: SlashDates | undefined): Church {
    const { name, timeZone, country, currency, minorUnits } = this;
    return new Church({ name, timeZone, country, currency, minorUnits, slashDates });
  }
}

/** All settings from the environment, read once by {@link loadConfiguration} and frozen. */
export class Configuration {
  readonly mode!: Mode;
  readonly http!: HttpSettings;
  readonly database!: DatabaseSettings;
  readonly mail!: MailSettings;
  readonly webhooks!: WebhookSettings;
  readonly church!: Church;
  /** How many wrong passwords a minute are allowed for a user name from one network before the answer is 429. */
  readonly loginFailuresPerMinute!: number;
  /** Keys the digests of verified logins, which replicas share. Undefined: each process has a key of its own. */
  readonly loginSecret!: string | undefined;
  readonly log!: LogSettings;
  readonly metrics!: MetricsSettings;
  /** True when npm started this process. Its shell does not forward signals; it only dies of them. */
  readonly startedByNpm!: boolean;

  constructor(fields: Configuration) {
    Object.assign(this, fields);
    for (const section of [this.http, this.database, this.mail, this.webhooks, this.log, this.metrics]) {
      Object.freeze(section);
    }
    Object.freeze(this);
  }
}
