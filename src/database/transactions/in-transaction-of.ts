// eslint-disable-next-line no-restricted-imports -- All other code uses the decorators in this file instead.
import { OnEvent } from '@nestjs/event-emitter';
import type { EntityManager } from 'typeorm';
import { nameIfWanted } from './wanted-events.js';

/** The class of a transactional event. Its `eventName` connects publishers with listeners. */
export interface EventClass {
  new (fields: never): object;
  readonly eventName: string;
}

type Events = readonly [EventClass, ...EventClass[]];

/** A decorator of a method that takes one of the events and `tx`, and returns a promise. */
type ListenerDecorator<E extends Events> = (
  target: object,
  method: string,
  descriptor: TypedPropertyDescriptor<(event: InstanceType<E[number]>, tx: EntityManager) => Promise<void>>,
) => void;

/** By default Nest only logs a listener's error. Then the write would commit although its notice was not queued. */
const FAILS_THE_TRANSACTION = { suppressErrors: false } as const;

/**
 * Makes a method a listener of these events: `@InTransactionOf(ContributionReversed)`. It is called inside the
 * transaction that publishes the event, and an error that it throws rolls that transaction back. Only a method that
 * takes the event and `tx` and returns a promise compiles.
 */
export function InTransactionOf<E extends Events>(...events: E): ListenerDecorator<E> {
  return listenerOf(events.map(({ eventName }) => eventName));
}

/**
 * As {@link InTransactionOf}, for a listener that has usually nothing to do. It is not called if the publisher has found that
 * nobody wants the event: see {@link isWanted}. Publishers of rare events do not look, and then it is called.
 */
export function InTransactionOfWanted<E extends Events>(...events: E): ListenerDecorator<E> {
  return listenerOf(events.map(({ eventName }) => nameIfWanted(eventName)));
}

function listenerOf<E extends Events>(names: readonly string[]): ListenerDecorator<E> {
  return (target, method, descriptor) => {
    for (const name of names) OnEvent(name, FAILS_THE_TRANSACTION)(target, method, descriptor);
  };
}
