import type { Totals } from '../totals.js';

/** A bundle as lists show it: what one user brought on one day, of one kind. */
export interface BundleView {
  readonly bundleId: number;
  readonly bundleTypeId: number;
  readonly bundleType: string;
  /** Whose deposit it is. */
  readonly user: string;
  /** In church time, YYYY-MM-DD. */
  readonly day: string;
  readonly status: 'Open' | 'Closed';
  readonly createdAt: string;
  readonly closedAt: string | null;
  /** User name, or "command line"; null on a bundle that is open, or was closed in SQL. */
  readonly closedBy: string | null;
  /** One for each currency, in all but the rarest case one; none while the bundle is empty. */
  readonly totals: readonly Totals[];
}

/** A bundle by itself. */
export interface BundleDetails extends BundleView {
  readonly byFund: readonly (Totals & { readonly fundId: number; readonly fund: string })[];
  readonly byType: readonly TypeTotals[];
}

/** What the gifts of one type come to; pledges have a type of their own. */
export interface TypeTotals {
  readonly contributionTypeId: number;
  readonly contributionType: string;
  readonly currency: string;
  readonly count: number;
  readonly total: string;
}
