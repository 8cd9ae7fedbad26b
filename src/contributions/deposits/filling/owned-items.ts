import type { EntityManager } from 'typeorm';
import { sqlRows } from '../../../database/index.js';
import { DepositItemNotFoundError } from '../errors.js';
import type { NamedItem, SentItem } from './named-item.js';

const SELECT_USERS = 'SELECT id, username FROM app_user WHERE username = ANY ($1::text[])';

/**
 * The items, each with the user who must have sent its gift: the processor that names it; if Finance names it, the user that it
 * names, or any. What is not in the books yet is searched by this user later.
 * @param processorId null for Finance.
 * @throws DepositItemNotFoundError for an unknown user
 */
export async function ownedItems(
  tx: EntityManager,
  items: readonly SentItem[],
  processorId: number | null,
): Promise<NamedItem[]> {
  const names = new Set(items.flatMap(({ user }) => user ?? []));
  const rows = names.size === 0 ? [] : await sqlRows<{ id: number; username: string }>(tx, SELECT_USERS, [[...names]]);
  const ids = new Map(rows.map(({ id, username }) => [username, id]));
  return items.map(({ user, ...item }, index) => {
    if (user === null) return { ...item, userId: processorId };
    const userId = ids.get(user);
    if (userId === undefined) throw new DepositItemNotFoundError(`Item ${index + 1}: there is no user ${user}`);
    return { ...item, userId };
  });
}
