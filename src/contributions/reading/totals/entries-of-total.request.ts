import { fieldReader, filterId, OptionalField, RequiredField } from '../../../http/index.js';
import { CURRENCY, fault, read } from '../../../values/index.js';
import { month } from './totals.request.js';

const currency = fieldReader<string>(CURRENCY, (value) =>
  /^[A-Z]{3}$/.test(String(value)) ? read(String(value)) : fault('must be the code of a currency, such as USD'),
);

/** Which number of the totals to show in detail. */
export class EntriesOfTotalRequest {
  @RequiredField(month, { description: 'The first month.', examples: ['2026-01'] })
  from!: string;

  @RequiredField(month, { description: 'The last month.', examples: ['2026-12'] })
  to!: string;

  @RequiredField(currency, { description: 'ISO 4217.', examples: ['USD'] })
  currency!: string;

  @OptionalField(filterId, { description: 'Only this fund.', examples: [1] })
  fundId?: number;

  @OptionalField(filterId, { description: 'The last entry of the page before.', examples: [4711] })
  after?: number;
}
