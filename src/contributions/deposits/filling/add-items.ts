import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../database/index.js';
import type { LockedDeposit } from '../deposit-rows.js';
import { DepositIdReusedError } from '../errors.js';
import { type Found, findItems } from './find-items.js';
import { ItemsThere, type ItemThere, lacksUser, type NewItem } from './items-there.js';
import { itemInWords, type NamedItem } from './named-item.js';
import { type Adding, insertItems, nameUsers } from './store-items.js';

/** How many items a call has added, and to how many it has added their user. */
export interface AddedItems {
  readonly added: number;
  readonly named: number;
}

interface PresentRow extends Omit<NamedItem, 'fee'> {
  readonly id: number;
  /** The user who has sent its gift; null while it is not in the books. */
  readonly sentBy: number | null;
  readonly paymentId: number | null;
  readonly reversalId: number | null;
  readonly fee: string | null;
  readonly hasOwnFee: boolean;
  readonly isRemoved: boolean;
}

/** $1 deposit, $2 ContributionIds, $3 transaction ids, $4 payments */
const SELECT_PRESENT = `
  SELECT id, is_reversal AS "isReversal", contribution_id AS "contributionId", source, transaction_id AS "transactionId",
    user_id AS "userId", refund_id AS "refundId", payment_id AS "paymentId", reversal_id AS "reversalId", fee, has_own_fee AS "hasOwnFee",
    removed_at IS NOT NULL AS "isRemoved", (SELECT added_by FROM contribution gift WHERE gift.id = i.payment_id) AS "sentBy"
  FROM deposit_item i
  WHERE deposit_id = $1
    AND (contribution_id = ANY ($2::integer[]) OR transaction_id = ANY ($3::text[]) OR payment_id = ANY ($4::integer[]))
  ORDER BY id`;

/**
 * Adds those items to a locked deposit that it does not have yet. An item is the same if it has the same name, or is the same
 * payment or reversal. An item that is not in the books and names no user gets the user of the next one who names it.
 * @throws DepositItemNotFoundError, DepositItemUnclearError, DepositIdReusedError if the deposit has an item with another fee,
 * InOtherDepositError, DepositReconciledError if there is anything to add. Then the transaction must be rolled back.
 */
export async function addItems(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NamedItem[],
  adding: Adding,
): Promise<AddedItems> {
  if (items.length === 0) return { added: 0, named: 0 };
  const { added, named } = await changesOf(tx, deposit, items, adding.processorId === null);
  if (named.size > 0) await nameUsers(tx, deposit, named, adding);
  if (added.length > 0) await insertItems(tx, deposit, added, adding);
  return { added: added.length, named: named.size };
}

/** What an acceptable item is. */
type InBooks = Exclude<Found, { readonly error: unknown }>;

/** What a call changes in a deposit. */
interface Changes {
  readonly added: NewItem[];
  /** Items that the deposit has without their user, by their ids. */
  readonly named: Map<number, NewItem>;
}

async function changesOf(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NamedItem[],
  addsRemoved: boolean,
): Promise<Changes> {
  const found = await findItems(tx, deposit, items);
  const paymentIds = found.map((one) => ('known' in one ? one.known.paymentId : null));
  const present = await presentItems(tx, deposit, items, paymentIds);
  const changes: Changes = { added: [], named: new Map() };
  const there = itemsThere(
    present.filter(({ isRemoved }) => !isRemoved || !addsRemoved),
    changes,
  );
  items.forEach((named, index) => {
    const one = found[index];
    if (one === undefined) throw new Error('Every item has a result');
    const same = there.find(named, 'known' in one ? one.known : null);
    if (same !== undefined && same.fee !== named.fee)
      throw new DepositIdReusedError(deposit.depositId, `another Fee of ${itemInWords(named)}`);
    const become = named.userId === null ? undefined : same?.become;
    if (same !== undefined && !become) return;
    if ('error' in one) throw one.error(`Item ${index + 1}`);
    change(there, changes, { named, one, become: become ?? null });
  });
  return changes;
}

/** Adds an item, or makes one that is there the item that was named. */
function change(
  there: ItemsThere,
  { added }: Changes,
  { named, one, become }: Pick<ItemThere, 'become'> & { readonly named: NamedItem; readonly one: InBooks },
): void {
  const item = 'known' in one ? { named, known: one.known, paymentId: null } : { named, known: null, ...one.unknown };
  const { fee } = named;
  if (become !== null) {
    become(item);
    there.forgetAnybodys(named);
    there.put({ fee, become: null }, named, item.known, one.sentBy);
    return;
  }
  const place = added.push(item) - 1;
  const getsUser = item.known === null && lacksUser(named);
  const replace = (other: NewItem): void => {
    added[place] = other;
  };
  there.put({ fee, become: getsUser ? replace : null }, named, item.known, one.sentBy);
}

function itemsThere(present: readonly PresentRow[], { named }: Changes): ItemsThere {
  const there = new ItemsThere();
  for (const row of present) {
    const known = isKnown(row) ? row : null;
    const getsUser = known === null && !row.isRemoved && lacksUser(row);
    const item = {
      fee: row.hasOwnFee ? row.fee : null,
      become: getsUser ? (other: NewItem): void => void named.set(row.id, other) : null,
    };
    there.put(item, row, known, row.sentBy);
  }
  return there;
}

function isKnown(row: PresentRow): row is PresentRow & { readonly paymentId: number } {
  return row.paymentId !== null && (!row.isReversal || row.reversalId !== null);
}

async function presentItems(
  tx: EntityManager,
  deposit: LockedDeposit,
  items: readonly NamedItem[],
  paymentIds: readonly (number | null)[],
): Promise<readonly PresentRow[]> {
  return sqlRows<PresentRow>(tx, SELECT_PRESENT, [
    deposit.id,
    items.map(({ contributionId }) => contributionId),
    items.map(({ transactionId }) => transactionId),
    paymentIds,
  ]);
}
