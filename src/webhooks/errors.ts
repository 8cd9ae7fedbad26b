import { type ErrorKind, ExpectedError } from '../http/index.js';
import type { WebhookDeliveryView } from './showing/webhook-delivery-view.js';
import type { WebhookView } from './showing/webhook-view.js';

export const WEBHOOK_NOT_FOUND: ErrorKind = {
  code: 'webhook_not_found',
  status: 404,
  when: 'No webhook has this id.',
  example: 'There is no webhook 3.',
};

export const WEBHOOK_DELIVERY_NOT_FOUND: ErrorKind = {
  code: 'webhook_delivery_not_found',
  status: 404,
  when: 'No delivery of a webhook has this id. Delivered ones are deleted after 30 days.',
  example: 'No delivery of a webhook has the id 120.',
};

export const WEBHOOK_EXISTS: ErrorKind = {
  code: 'webhook_exists',
  status: 409,
  when: 'An enabled webhook has this URL and this user already.',
  example: 'There is an enabled webhook with this URL and user already.',
};

export const WEBHOOK_DISABLED: ErrorKind = {
  code: 'webhook_disabled',
  status: 409,
  when: 'The webhook is disabled, so nothing is sent to it.',
  example: 'Webhook 3 is disabled. Enable it first.',
};

export const WEBHOOK_CHANGED: ErrorKind = {
  code: 'webhook_changed',
  status: 409,
  when: 'The secret was rotated since you read the webhook. `current` is the webhook as it is now.',
  example: 'The secret of webhook 3 was rotated meanwhile. Nothing was changed.',
};

/** There is no webhook with this id. */
export class WebhookNotFoundError extends ExpectedError {
  readonly kind = WEBHOOK_NOT_FOUND;

  constructor(id: number) {
    super(`There is no webhook ${id}.`);
  }
}

/** There are no deliveries with these ids. */
export class WebhookDeliveryNotFoundError extends ExpectedError {
  readonly kind = WEBHOOK_DELIVERY_NOT_FOUND;

  constructor(ids: readonly number[]) {
    super(`No delivery of a webhook has the id ${ids.join(', ')}.`);
  }
}

/** An enabled webhook has this URL and this user already. */
export class WebhookExistsError extends ExpectedError {
  readonly kind = WEBHOOK_EXISTS;

  constructor() {
    super(WEBHOOK_EXISTS.example);
  }
}

/** Nothing is sent to a disabled webhook. */
export class WebhookDisabledError extends ExpectedError {
  readonly kind = WEBHOOK_DISABLED;

  constructor(id: number) {
    super(`Webhook ${id} is disabled. Enable it first.`);
  }
}

/** Somebody else has rotated the secret. */
export class WebhookChangedError extends ExpectedError {
  readonly kind = WEBHOOK_CHANGED;

  constructor(override readonly current: WebhookView) {
    super(`The secret of webhook ${current.id} was rotated meanwhile. Nothing was changed.`);
  }
}

/** The arguments of a command do not say which deliveries are meant. */
export class UnclearReplayError extends Error {
  constructor() {
    super('Give ids of deliveries, or --all; --webhook comes with --all.');
  }
}

/** The receiver did not take a test. */
export class TestNotDeliveredError extends Error {
  constructor({ status, lastError }: Pick<WebhookDeliveryView, 'status' | 'lastError'>) {
    super(
      status === 'pending'
        ? 'The test was not sent yet. The service sends it when it runs; see: offertory webhook deliveries'
        : `The receiver did not take the test. ${lastError ?? ''}`,
    );
  }
}
