import { id, IgnoresNothing, OptionalField, RequiredField, text } from '../../http/index.js';
import { MAX_FUND_NAME } from './fund.entity.js';

/** The body of CreateFund. */
@IgnoresNothing()
export class CreateFundRequest {
  @RequiredField(text(MAX_FUND_NAME), { description: 'Its name.', examples: ['Building'] })
  Name!: string;
}

/** The body of RenameFund. */
@IgnoresNothing()
export class RenameFundRequest {
  @RequiredField(text(MAX_FUND_NAME), { description: 'Its new name.', examples: ['Missions'] })
  Name!: string;

  @RequiredField(text(MAX_FUND_NAME), {
    description: 'The name that you have seen. If it is another one by now, nothing is changed.',
    examples: ['Mission'],
  })
  Was!: string;
}

/** The body of MakeFundDefault, which may be missing. */
@IgnoresNothing()
export class MakeFundDefaultRequest {
  @OptionalField(id, {
    description: 'The default fund that you have seen. If it is another one by now, nothing is changed.',
    examples: [1],
  })
  Was?: number;
}
