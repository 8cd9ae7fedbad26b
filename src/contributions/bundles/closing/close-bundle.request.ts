import { fieldReader, OptionalField } from '../../../http/index.js';
import type { IsExpected } from '../bundles.service.js';
import { fault, MAX_DECIMALS_IN_WORDS, read, storedAmount, SUM_PATTERN, SUM_SCHEMA } from '../../../values/index.js';

const COUNT = /^(0|[1-9]\d{0,8})$/;
const TOTAL = new RegExp(SUM_PATTERN);

/** A number of contributions, or its digits. */
export const count = fieldReader<number>(
  { type: 'integer', format: 'int32', minimum: 0, maximum: 999_999_999 },
  (value) => (COUNT.test(String(value)) ? read(Number(value)) : fault('must be a whole number, in digits only')),
);

/** A sum of amounts as text. */
export const total = fieldReader<string>(SUM_SCHEMA, (value) =>
  TOTAL.test(String(value))
    ? read(storedAmount(String(value)))
    : fault(`must be digits with at most ${MAX_DECIMALS_IN_WORDS}, such as 480.50, as the bundle tells it`),
);

/** The totals that the caller compared with the bank. Omitted fields are not checked. */
export class CloseBundleRequest {
  @OptionalField(count, { description: 'Expected number of contributions, without pledges.', examples: [12] })
  count?: number;

  @OptionalField(total, { description: 'Expected sum of their amounts.', examples: ['480.50'] })
  total?: string;
}

/** Undefined if the caller expects nothing. A bundle with several currencies has no single total and never agrees. */
export function toExpectation({ count, total }: Pick<CloseBundleRequest, 'count' | 'total'>): IsExpected | undefined {
  if (count === undefined && total === undefined) return undefined;
  return (totals) => {
    const [held = { count: 0, total: '0' }, ...others] = totals;
    return (
      others.length === 0 &&
      (count ?? held.count) === held.count &&
      (total ?? storedAmount(held.total)) === storedAmount(held.total)
    );
  };
}
