import { DATABASE_UNAVAILABLE, type ErrorKind, ExpectedError } from '../http/index.js';

export const SERVICE_STOPPING: ErrorKind = {
  code: 'service_stopping',
  status: 503,
  when: 'This process is about to stop. It still answers all other calls, but a load balancer should send it no more.',
  example: 'This process is about to stop. Send calls to another one.',
};

/** The database answers, but its schema is older than this program. */
export class MigrationsPendingError extends ExpectedError {
  readonly kind = DATABASE_UNAVAILABLE;

  constructor(count: number) {
    super(`The database lacks ${count} migration${count === 1 ? '' : 's'}. Run: offertory database migrate`);
  }
}

/** The process has received a signal to stop. */
export class ServiceStoppingError extends ExpectedError {
  readonly kind = SERVICE_STOPPING;
  override readonly headers = { 'Retry-After': '1' };

  constructor() {
    super(SERVICE_STOPPING.example);
  }
}
