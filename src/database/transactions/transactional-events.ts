import { Injectable } from '@nestjs/common';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { EntityManager } from 'typeorm';
import type { EventClass } from './in-transaction-of.js';

type Listener = (event: object, tx: EntityManager) => unknown;

/**
 * Publishes events inside the transaction that they tell of. Listeners, which are methods with `@InTransactionOf`, get
 * `(event, tx)`; they may write rows and enqueue jobs through `tx`, nothing else, and an error of theirs rolls the whole
 * transaction back.
 */
@Injectable()
export class TransactionalEvents {
  constructor(private readonly emitter: EventEmitter2) {}

  /**
   * Runs the listeners one after the other; the event's class carries its name. Side by side, one that fails would have
   * the transaction rolled back while another still writes, and what that one wrote next would stay.
   * @throws what a listener threw.
   */
  async publish(event: object, tx: EntityManager): Promise<void> {
    for (const listener of this.listenersOf(event.constructor)) await listener(event, tx);
  }

  private listenersOf(eventClass: object): Listener[] {
    const { eventName } = eventClass as Partial<EventClass>;
    if (eventName === undefined) throw new Error('An event class needs a static eventName');
    return this.emitter.listeners(eventName) as Listener[];
  }
}
