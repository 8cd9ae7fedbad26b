/** The same server, another database. */
export function withDatabaseName(url: string, database: string): string;
/** Runs statements one after the other, outside of any transaction, in the database of the URL. */
export function execute(url: string, ...statements: readonly string[]): Promise<void>;
