import type { Type } from '@nestjs/common';

/**
 * Runs one use case of the application for a command: opens the database and the modules, calls `work` with the
 * service, and closes everything. A command calls it after it has parsed its arguments, so that `--help` and a typing
 * error need no database.
 */
export type RunWith = <T>(service: Type<T>, work: (service: T) => Promise<void>) => Promise<void>;
