import type { Type } from '@nestjs/common';

/**
 * Runs one use case of the application for a command: opens the database and the modules, calls `work` with the
 * service, and closes everything. Commands parse their arguments first, so that `--help` and typing errors need no
 * database.
 */
export type RunWith = <T>(service: Type<T>, work: (service: T) => Promise<void>) => Promise<void>;
