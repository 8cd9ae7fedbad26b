import type { EntityManager } from 'typeorm';
import { InvalidRequestError } from '../../http/index.js';
import { fault } from '../../values/index.js';
import { FundNameNotFoundError, FundNotFoundError } from './errors.js';
import { type FundName, fundsWithName, readFundNames } from './naming/fund-names.js';

/** How a caller names a fund. Without both, it means the default fund. */
export interface FundReference {
  readonly fundId: number | undefined;
  readonly fundName: string | undefined;
}

/**
 * Replaces the names of funds by their ids. Former names count, too: a processor may not know that a fund was renamed.
 * Nothing is read for a payment of a single part without a name: the foreign key checks its id.
 * @param payments the parts of each payment.
 * @throws FundNotFoundError, FundNameNotFoundError, InvalidRequestError if a part names two different funds.
 */
export async function findFundsOfPayments<T extends FundReference>(
  tx: EntityManager,
  payments: readonly (readonly T[])[],
): Promise<readonly (readonly T[])[]> {
  if (payments.every(hasOneFundId)) return payments;
  const names = await readFundNames(tx);
  return payments.map((parts) =>
    hasOneFundId(parts) ? parts : parts.map((part) => ({ ...part, fundId: fundIdOf(part, names) })),
  );
}

function hasOneFundId(parts: readonly FundReference[]): boolean {
  return parts.length === 1 && parts[0]?.fundName === undefined;
}

function fundIdOf({ fundId, fundName }: FundReference, names: readonly FundName[]): number | undefined {
  if (fundId !== undefined && !names.some((one) => one.fundId === fundId)) throw new FundNotFoundError(fundId);
  if (fundName === undefined) return fundId;
  const named = fundsWithName(fundName, names);
  const [found] = named;
  if (found === undefined || named.length > 1) throw new FundNameNotFoundError(named.length);
  if (fundId !== undefined && fundId !== found)
    throw InvalidRequestError.ofReadings({ FundName: fault('is the name of another fund than FundId') });
  return found;
}
