// eslint-disable-next-line no-restricted-imports -- All other code uses the decorator in this file instead.
import { OnEvent } from '@nestjs/event-emitter';
import type { EntityManager } from 'typeorm';

/** The class of a transactional event. Its `eventName` connects publishers with listeners. */
export interface EventClass {
  new (fields: never): object;
  readonly eventName: string;
}

/** By default Nest only logs a listener's error. Then the write would commit although its notice was not queued. */
const FAILS_THE_TRANSACTION = { suppressErrors: false } as const;

/**
 * Makes a method a listener of these events: `@InTransactionOf(ContributionReversed)`. It is called inside the
 * transaction that publishes the event, and an error that it throws rolls that transaction back. Only a method that
 * takes the event and `tx` and returns a promise compiles.
 */
export function InTransactionOf<E extends readonly [EventClass, ...EventClass[]]>(...events: E) {
  return (
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<(event: InstanceType<E[number]>, tx: EntityManager) => Promise<void>>,
  ): void => {
    for (const { eventName } of events) OnEvent(eventName, FAILS_THE_TRANSACTION)(target, method, descriptor);
  };
}
