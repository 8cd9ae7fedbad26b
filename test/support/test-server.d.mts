/** The URL of another database on the same server. */
export function withDatabaseName(url: string, database: string): string;
/** Runs statements one after the other without a transaction in the database of the URL. */
export function execute(url: string, ...statements: readonly string[]): Promise<void>;
