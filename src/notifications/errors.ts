import { type ErrorKind, ExpectedError } from '../http/index.js';
import type { DeliveryDetails } from './notices/notice-view.js';

export const DELIVERY_NOT_FOUND: ErrorKind = {
  code: 'delivery_not_found',
  status: 404,
  when: 'No delivery of a notice has this id.',
  example: 'There is no delivery 12.',
};

export const DELIVERY_SENT: ErrorKind = {
  code: 'delivery_sent',
  status: 409,
  when: 'The mail is already sent. `current` is the delivery as it is now.',
  example: 'Already sent: delivery 12.',
};

/** There are no deliveries with these ids. */
export class DeliveryNotFoundError extends ExpectedError {
  readonly kind = DELIVERY_NOT_FOUND;

  constructor(ids: readonly number[]) {
    super(`There is no delivery ${ids.join(', ')}.`);
  }
}

/** These deliveries are already sent. */
export class DeliverySentError extends ExpectedError {
  readonly kind = DELIVERY_SENT;

  override readonly current: DeliveryDetails | undefined;

  /** @param current the delivery, if the caller has named a single one. */
  constructor(ids: readonly number[], current?: DeliveryDetails) {
    super(`Already sent: delivery ${ids.join(', ')}.`);
    this.current = current;
  }
}

/** The arguments of a command do not say which deliveries are meant. */
export class UnclearDeliveriesError extends Error {
  constructor() {
    super('Give ids of deliveries, or --all.');
  }
}
