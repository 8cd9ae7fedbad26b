import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { EntityManager } from 'typeorm';
import type { EventClass } from './in-transaction-of.js';
import { nameIfWanted } from './wanted-events.js';

type Listener = (event: object, tx: EntityManager) => unknown;

/**
 * Publishes events inside the transaction that causes them. Listeners are methods with `@InTransactionOf` and get
 * `(event, tx)`. They may only write rows and queue jobs through `tx`, and their errors roll the transaction back.
 */
@Injectable()
export class TransactionalEvents {
  constructor(private readonly emitter: EventEmitter2) {}

  /**
   * Runs the listeners of the event's class one after the other. In parallel, an error of one would roll the
   * transaction back while another still writes, and later writes of that one would be committed on their own.
   * @param options.isWanted whether listeners with `@InTransactionOfWanted` are called, too: what a statement of this
   * transaction has read by `isWanted`. Default: true.
   * @throws the error of a listener.
   */
  async publish(event: object, tx: EntityManager, { isWanted = true } = {}): Promise<void> {
    for (const listener of this.listenersOf(event.constructor, isWanted)) await listener(event, tx);
  }

  private listenersOf(eventClass: object, isWanted: boolean): Listener[] {
    const { eventName } = eventClass as Partial<EventClass>;
    if (eventName === undefined) throw new Error('An event class needs a static eventName');
    const names = isWanted ? [eventName, nameIfWanted(eventName)] : [eventName];
    return names.flatMap((name) => this.emitter.listeners(name) as Listener[]);
  }
}
