import { foldGiver } from '../../../people/index.js';
import type { ContributionView } from '../contribution-view.js';

/** The details that two gifts can have in common. */
export const AGREEING_DETAILS = [
  ...(['amount', 'day', 'fund', 'source', 'method', 'checkNumber'] as const),
  ...(['lastName', 'firstName', 'email', 'phone'] as const),
] as const;

export type AgreeingDetail = (typeof AGREEING_DETAILS)[number];

/**
 * The details in which two gifts agree. Givers are compared as matching does; what neither gift has agrees in nothing.
 * @param country of phone numbers without a country code (ISO 3166)
 */
export function detailsInCommon(one: ContributionView, other: ContributionView, country: string): AgreeingDetail[] {
  const [details, others] = [comparable(one, country), comparable(other, country)];
  return AGREEING_DETAILS.filter((name) => details[name] !== null && details[name] === others[name]);
}

const UNKNOWN_GIVER = { first: null, last: null, email: null, phone: null };

function comparable(
  { amount, currency, day, fundId, source, payment, giver }: ContributionView,
  country: string,
): Readonly<Record<AgreeingDetail, string | number | null>> {
  const { first, last, email, phone } = giver === null ? UNKNOWN_GIVER : foldGiver(giver, country);
  return {
    ...{ amount: `${currency} ${amount}`, day, fund: fundId, source },
    ...{ method: payment.method, checkNumber: payment.checkNumber },
    ...{ lastName: last, firstName: first, email, phone },
  };
}
