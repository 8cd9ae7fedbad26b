import { fieldReader, id, IgnoresNothing, listOfObjects, RequiredField } from '../../../http/index.js';
import { fault } from '../../../values/index.js';
import { count, total } from './close-bundle.request.js';

/** The most bundles in one call. */
export const MAX_BUNDLES = 100;

/** As in a query, but JSON has types. */
const jsonCount = fieldReader<number>(count.schema, (value, ...rest) =>
  typeof value === 'number' ? count(value, ...rest) : fault('must be a whole number'),
);
const jsonTotal = fieldReader<string>(total.schema, (value, ...rest) =>
  typeof value === 'string' ? total(value, ...rest) : fault('must be text, such as "480.50"'),
);

/** One of the bundles to close, with the totals that the caller compared with the bank. */
@IgnoresNothing()
export class BundleToClose {
  @RequiredField(id, { description: 'Id of the bundle.', examples: [7] })
  BundleId!: number;

  @RequiredField(jsonCount, { description: 'Expected number of contributions, without pledges.', examples: [12] })
  Count!: number;

  @RequiredField(jsonTotal, { description: 'Expected sum of their amounts.', examples: ['480.50'] })
  Total!: string;
}

/** The body of CloseBundles. */
@IgnoresNothing()
export class CloseBundlesRequest {
  @RequiredField(listOfObjects(BundleToClose, MAX_BUNDLES), {
    description: `1 to ${MAX_BUNDLES} bundles, each with the count and total that you compared with the bank.`,
    examples: [[{ BundleId: 7, Count: 12, Total: '480.50' }]],
  })
  Bundles!: readonly BundleToClose[];
}
