import type { Type } from '@nestjs/common';

/**
 * Runs one use case of the application for a command: opens the database and the modules, hands over the service,
 * and closes all again. A command calls it only once it knows what it was asked, so that `--help` and a typing error
 * need no database.
 */
export type RunWith = <T>(service: Type<T>, work: (service: T) => Promise<void>) => Promise<void>;
