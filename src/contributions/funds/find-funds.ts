import type { EntityManager } from 'typeorm';
import { InvalidRequestError } from '../../http/index.js';
import { foldName } from '../../people/index.js';
import { fault } from '../../values/index.js';
import { FundNameNotFoundError, FundNotFoundError } from './errors.js';
import { Fund } from './fund.entity.js';

/** How a caller names a fund. Without both, it means the default fund. */
export interface FundReference {
  readonly fundId: number | undefined;
  readonly fundName: string | undefined;
}

/**
 * Replaces the names of funds by their ids. The name of a fund is compared like names of persons: letter case, accents,
 * spaces and punctuation do not matter. Nothing is read for a single part without a name: the foreign key checks its id.
 * @throws FundNotFoundError, FundNameNotFoundError, InvalidRequestError if a part names two different funds.
 */
export async function findFundsOfParts<T extends FundReference>(
  tx: EntityManager,
  parts: readonly T[],
): Promise<readonly T[]> {
  if (parts.length === 1 && parts[0]?.fundName === undefined) return parts;
  const funds = await tx.getRepository(Fund).find();
  return parts.map((part) => ({ ...part, fundId: fundIdOf(part, funds) }));
}

function fundIdOf({ fundId, fundName }: FundReference, funds: readonly Fund[]): number | undefined {
  if (fundId !== undefined && !funds.some(({ id }) => id === fundId)) throw new FundNotFoundError(fundId);
  if (fundName === undefined) return fundId;
  const folded = foldName(fundName);
  const named = funds.filter(({ name }) => foldName(name) === folded);
  const [fund] = named;
  if (fund === undefined || named.length > 1) throw new FundNameNotFoundError(named.length);
  if (fundId !== undefined && fundId !== fund.id)
    throw InvalidRequestError.ofReadings({ FundName: fault('is the name of another fund than FundId') });
  return fund.id;
}
