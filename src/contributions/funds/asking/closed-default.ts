import type { FundView } from '../fund-view.js';

/** What somebody should know who closes the default fund, or has closed it; undefined for other funds. */
export function warningOfClosing(fund: Pick<FundView, 'name' | 'default'>): string | undefined {
  return fund.default
    ? `${fund.name} is the default: gifts that name no fund still go there, and are listed for review.`
    : undefined;
}
