/** Lets this process and its children keep temporary files in memory if there is room. */
export function useMemoryForFiles(): void;

/** The server of TEST_DATABASE_URL, or an embedded one in a temporary directory. */
export function openTestServer(): Promise<{ readonly url: string; stop(): Promise<void> }>;
