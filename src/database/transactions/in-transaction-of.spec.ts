import { expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { InTransactionOf, InTransactionOfWanted } from './in-transaction-of.js';

class GiftCounted {
  static readonly eventName = 'gift.counted';
  readonly count!: number;
}

class GiftWeighed {
  static readonly eventName = 'gift.weighed';
  readonly grams!: number;
}

class WithoutName {
  readonly count!: number;
}

/** `npm run check:types` checks the errors that are expected here. It fails if one does not occur. */
class Listeners {
  @InTransactionOf(GiftCounted)
  async takesBoth(event: GiftCounted, tx: EntityManager): Promise<void> {
    await this.write(event, tx);
  }

  @InTransactionOf(GiftCounted, GiftWeighed)
  async takesEither(event: GiftCounted | GiftWeighed, tx: EntityManager): Promise<void> {
    await this.write(event, tx);
  }

  @InTransactionOfWanted(GiftCounted)
  async takesWanted(event: GiftCounted, tx: EntityManager): Promise<void> {
    await this.write(event, tx);
  }

  // @ts-expect-error It takes another event.
  @InTransactionOf(GiftCounted)
  async takesAnother(event: GiftWeighed, tx: EntityManager): Promise<void> {
    await this.write(event, tx);
  }

  // @ts-expect-error It takes no transaction, so its writes would not be rolled back.
  @InTransactionOf(GiftCounted)
  async takesNoTransaction(event: GiftCounted): Promise<void> {
    await this.write(event);
  }

  // @ts-expect-error It returns no promise, so nothing would wait for it.
  @InTransactionOf(GiftCounted)
  returnsNoPromise(event: GiftCounted, tx: EntityManager): void {
    void this.write(event, tx);
  }

  // @ts-expect-error The class of the event has no eventName.
  @InTransactionOf(WithoutName)
  async takesEventWithoutName(event: WithoutName, tx: EntityManager): Promise<void> {
    await this.write(event, tx);
  }

  private write(...of: readonly object[]): Promise<readonly object[]> {
    return Promise.resolve(of);
  }
}

it('subscribes the method to each of the events and does not suppress its errors', () => {
  const method = Object.getOwnPropertyDescriptor(Listeners.prototype, 'takesEither')?.value as object;
  expect(Reflect.getMetadata('EVENT_LISTENER_METADATA', method)).toEqual(
    expect.arrayContaining([
      { event: 'gift.counted', options: { suppressErrors: false } },
      { event: 'gift.weighed', options: { suppressErrors: false } },
    ]),
  );
});

it('subscribes a listener of wanted events under another name, with the same options', () => {
  const method = Object.getOwnPropertyDescriptor(Listeners.prototype, 'takesWanted')?.value as object;
  expect(Reflect.getMetadata('EVENT_LISTENER_METADATA', method)).toEqual([
    { event: 'gift.counted if wanted', options: { suppressErrors: false } },
  ]);
});
