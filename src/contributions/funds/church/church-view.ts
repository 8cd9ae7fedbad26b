import { listOf, Property } from '../../../http/index.js';
import { TEXTS } from '../../../values/index.js';
import { CURRENCY } from '../../ledger/index.js';
import { FundView } from '../fund-view.js';

/** What a processor needs to know of the church, so that nobody has to type it in. */
export class ChurchView {
  @Property(CURRENCY, {
    description: 'ISO 4217: the currency of all gifts. Any other `Currency` is refused with `currency_mismatch`.',
    examples: ['USD'],
  })
  readonly currency!: string;

  @Property(TEXTS.word, {
    description: 'The time zone by its IANA name. It decides to which day a gift belongs.',
    examples: ['America/Chicago'],
  })
  readonly timeZone!: string;

  @Property(
    { type: 'string', minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$' },
    { description: 'ISO 3166 alpha-2: the country of phone numbers without a country code.', examples: ['US'] },
  )
  readonly country!: string;

  @Property(listOf(FundView), { description: 'The open funds, ordered by id: those to offer to givers.' })
  readonly funds!: readonly FundView[];
}
