import type { MinorUnits, SlashDates } from '../values/index.js';

/** Where and how the HTTP server listens. */
export interface HttpSettings {
  readonly port: number;
  readonly host: string;
  /** Path in front of `/Api`, with a leading and no trailing slash; empty when there is none. */
  readonly basePath: string;
  /** Express's `trust proxy`: a number of hops or a list of addresses; nothing is trusted without it. */
  readonly trustProxy: number | readonly string[] | undefined;
  /** The address that callers use, where a proxy in front changes the Host header. */
  readonly publicUrl: string | undefined;
  /** Of the HTTPS proxy in front, for the doctor to look at. */
  readonly domain: string | undefined;
}

/** How the database is reached. */
export interface DatabaseSettings {
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  readonly url: string | undefined;
  /** By which the schema is changed, as its owner; undefined: by `url`, whose role then owns the tables. */
  readonly migrationUrl: string | undefined;
  /** Connections of this process for requests; the queue has two more. */
  readonly poolSize: number;
  readonly dataDir: string;
}

/** How notices leave the house. */
export interface MailSettings {
  /** Undefined: every mail becomes an .eml file under `DATA_DIR`/mail. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  /** By which the waits before another try are multiplied: 1, or less for trials. */
  readonly retryFactor: number;
  /** Recipients of every reversal's notice, besides the users with the role Finance. */
  readonly financeEmails: readonly string[];
}

export type LogLevel = 'error' | 'warn' | 'info' | 'debug' | 'verbose';

/** How the service logs. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly format: 'pretty' | 'json';
}

/** Where figures for Prometheus are served. */
export interface MetricsSettings {
  /** 0: any free one. Undefined: the usual one, unless something else listens there. */
  readonly port: number | 'off' | undefined;
  readonly host: string;
}

/** The church whose books these are: what dates, phones, amounts and mails are read and written by. */
export class Church {
  constructor(
    readonly name: string,
    /** IANA zone; the gift's day is its day there. */
    readonly timeZone: string,
    /** ISO 3166 alpha-2; the country of phone numbers without a country code. */
    readonly country: string,
    /** ISO 4217. */
    readonly currency: string,
    /** Decimals of the currency: 2 for USD, 0 for JPY. */
    readonly minorUnits: MinorUnits,
    /** How `3/4/2026` is read; undefined: it is refused, since it may be either of two days. */
    readonly slashDates: SlashDates | undefined,
  ) {
    Object.freeze(this);
  }

  /** This church where somebody else has written the dates. */
  withSlashDates(order: SlashDates | undefined): Church {
    return new Church(this.name, this.timeZone, this.country, this.currency, this.minorUnits, order);
  }
}

/** Everything the environment decides, read once by {@link readConfiguration} and frozen. */
export class Configuration {
  constructor(
    readonly http: HttpSettings,
    readonly database: DatabaseSettings,
    readonly mail: MailSettings,
    readonly church: Church,
    /** Wrong passwords a minute for one user name from one address, before 429. */
    readonly loginFailuresPerMinute: number,
    readonly log: LogSettings,
    readonly metrics: MetricsSettings,
    /** True when npm runs us: its shell keeps signals to itself, and dies of them alone. */
    readonly startedByNpm: boolean,
  ) {
    for (const section of [http, database, mail, log, metrics]) Object.freeze(section);
    Object.freeze(this);
  }
}
