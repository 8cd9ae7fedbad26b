import type { Query } from '../../http/index.js';
import { pagePathOf, queryOf } from '../../pages/index.js';
import { BUNDLE_STATUSES } from './bundle-view.js';

const BUNDLES = '/console/bundles';

/** The field of the forms that close bundles, with the list from which they are sent. */
export const LIST_FIELD = 'list';

/** Of the choice of the status: which bundles a list shows without a choice, and what selects all. */
export const SHOWN_STATUSES = { default: BUNDLE_STATUSES[0], all: 'all' } as const;

/** The filter of a list, as its form sends it. */
type ShownFilter = Readonly<Record<'status' | 'from' | 'to' | 'user' | 'bundleTypeId', string>>;

/** Which bundles a query asks for: without a status, those that are open. */
export function shownFilter(query: Query): ShownFilter {
  const of = (name: string): string => {
    const value = query[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    status: of('status') || SHOWN_STATUSES.default,
    ...{ from: of('from'), to: of('to'), user: of('user'), bundleTypeId: of('bundleTypeId') },
  };
}

/** The path of a list with this filter. */
export function listPath({ status, ...filter }: ShownFilter): string {
  return BUNDLES + queryOf({ ...filter, ...(status !== SHOWN_STATUSES.default && { status }) });
}

/** The list from which a form was sent, to lead back to it; the list of open bundles if it names none. */
export function listOf({ [LIST_FIELD]: sent }: Query): string {
  const path = pagePathOf(sent);
  return path === BUNDLES || path?.startsWith(`${BUNDLES}?`) === true ? path : BUNDLES;
}
