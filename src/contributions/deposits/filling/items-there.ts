import { keysOfName, keysOfPresent, keyWithoutUser, knownKey, type KnownItem, type NamedItem } from './named-item.js';

/** An item that a deposit has, or gets by the call. */
export interface ItemThere {
  /** The fee that was sent with it, as decimal text. */
  readonly fee: string | null;
  /** Makes it the item that was named, with its user. Null if it must not be changed. */
  readonly become: ((item: NewItem) => void) | null;
}

/** An item that the deposit does not have yet, or has without its user. */
export interface NewItem {
  readonly named: NamedItem;
  /** Null while it is not in the books. */
  readonly known: KnownItem | null;
  /** Of a reversal that is not in the books: the payment, if that is. */
  readonly paymentId: number | null;
}

/** The items of a deposit, found by their names, and by what they are in the books. */
export class ItemsThere {
  private readonly byKey = new Map<string, ItemThere>();

  /** @param sentBy the user who has sent its gift; null while it is not in the books. */
  put(
    item: ItemThere,
    named: Omit<NamedItem, 'fee'>,
    known: Pick<KnownItem, 'paymentId' | 'reversalId'> | null,
    sentBy: number | null,
  ): void {
    // The gift of one user is not that of another, whatever its name.
    for (const key of keysOfPresent({ ...named, userId: named.userId ?? sentBy })) this.byKey.set(key, item);
    if (known !== null) this.byKey.set(knownKey(known), item);
  }

  /** The item that has the same name, or is the same payment or reversal. */
  find(named: NamedItem, known: KnownItem | null): ItemThere | undefined {
    const [own, ...others] = keysOfName(named);
    const keys = [own, ...(known === null ? [] : [knownKey(known)]), ...others];
    for (const key of keys) {
      const item = key === undefined ? undefined : this.byKey.get(key);
      if (item !== undefined) return item;
    }
    return undefined;
  }

  /** An item that had no user has one, so it is no longer anybody's. */
  forgetAnybodys(named: NamedItem): void {
    this.byKey.delete(keyWithoutUser(named));
  }
}

/** Whether an item that is not in the books gets the user of the next one who names its transaction. */
export function lacksUser({ userId, transactionId }: Omit<NamedItem, 'fee'>): boolean {
  return userId === null && transactionId !== null;
}
