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
 * Nothing is read for a single part without a name: the foreign key checks its id.
 * @throws FundNotFoundError, FundNameNotFoundError, InvalidRequestError if a part names two different funds.
 */
export async function findFundsOfParts<T extends FundReference>(
  tx: EntityManager,
  parts: readonly T[],
): Promise<readonly T[]> {
  if (parts.length === 1 && parts[0]?.fundName === undefined) return parts;
  const names = await readFundNames(tx);
  return parts.map((part) => ({ ...part, fundId: fundIdOf(part, names) }));
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
