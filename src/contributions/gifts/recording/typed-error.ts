import { violatesForeignKey, violatesNotNull } from '../../../database/index.js';
import { BundleTypeNotFoundError } from '../../bundles/index.js';
import { FundNotFoundError, NoDefaultFundError } from '../../funds/index.js';
import { ContributionTypeNotAllowedError } from '../errors.js';
import type { AddContributionCommand } from './add-contribution-command.js';
import type { GiftPart } from './gift-part.js';

/**
 * Turns a violated constraint into a typed error. Whether the fund, the bundle type and the contribution type exist is
 * not checked before the insert: the foreign keys check it, and the name of the violated key shows which id was
 * invalid.
 */
export function toTypedError(error: unknown, command: AddContributionCommand, part?: GiftPart): unknown {
  if (violatesForeignKey(error, 'contribution_fund_fkey')) return new FundNotFoundError(part?.fundId ?? 0);
  if (violatesNotNull(error, 'fund_id')) return new NoDefaultFundError();
  if (violatesForeignKey(error, 'bundle_type_fkey')) return new BundleTypeNotFoundError(command.bundleTypeId ?? 0);
  if (violatesForeignKey(error, 'contribution_type_fkey')) {
    return new ContributionTypeNotAllowedError(part?.contributionTypeId ?? 0);
  }
  return error;
}
