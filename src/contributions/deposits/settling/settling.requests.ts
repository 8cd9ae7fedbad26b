import { fieldReader, IgnoresNothing, lines, OptionalField, RequiredField, text } from '../../../http/index.js';
import { fault, MAX_DECIMALS_IN_WORDS, read, storedAmount, SUM_PATTERN, SUM_SCHEMA } from '../../../values/index.js';
import { depositDay, signedAmount } from '../fields.js';

/** The body of EnterBank. */
@IgnoresNothing()
export class BankRequest {
  @RequiredField(depositDay, { description: 'When the bank received it.', examples: ['2026-07-29'] })
  Date!: string;

  @RequiredField(signedAmount, {
    description: 'What the bank received, in the currency of the deposit. Negative if it paid.',
    examples: ['1610.66'],
  })
  Amount!: string;

  @OptionalField(text(100), { description: 'The bank’s reference.', examples: ['STMT 7/29 line 4'] })
  Reference?: string;

  @OptionalField(signedAmount, {
    description: '`bankAmount` of the deposit, as you have seen it. If it is another one by now, nothing is stored.',
    examples: ['1610.65'],
  })
  Was?: string;
}

/** The body of WithdrawBank, which may be missing. */
@IgnoresNothing()
export class WithdrawBankRequest {
  @OptionalField(signedAmount, {
    description: '`bankAmount` of the deposit, as you have seen it. If it is another one by now, nothing changes.',
    examples: ['1610.65'],
  })
  Was?: string;
}

/** An amount that is not zero. */
const adjustment = fieldReader(
  signedAmount.schema,
  (value, church, now) => {
    const amount = signedAmount(value, church, now);
    return 'value' in amount && !/[1-9]/.test(amount.value) ? fault('must not be zero') : amount;
  },
  signedAmount.leniency,
);

/** The body of AdjustDeposit. */
@IgnoresNothing()
export class AdjustRequest {
  @RequiredField(adjustment, {
    description: 'What is added to the expected amount; negative to take from it. To undo one, send the opposite.',
    examples: ['-0.01'],
  })
  Amount!: string;

  @RequiredField(lines(1000), { description: 'Why. Stored with the deposit.', examples: ['Rounded by the processor'] })
  Reason!: string;
}

const SUM = new RegExp(SUM_PATTERN);

/** A sum of amounts as text. */
const sum = fieldReader<string>(SUM_SCHEMA, (value) =>
  typeof value === 'string' && SUM.test(value)
    ? read(storedAmount(value))
    : fault(`must be text of digits with at most ${MAX_DECIMALS_IN_WORDS}, such as "1610.66", as the deposit tells it`),
);

const count = fieldReader<number>({ type: 'integer', format: 'int32', minimum: 0, maximum: 999_999_999 }, (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 999_999_999
    ? read(value)
    : fault('must be a whole number'),
);

/** The body of ReconcileDeposit, which may be missing. */
@IgnoresNothing()
export class ReconcileRequest {
  @OptionalField(count, {
    description: '`itemCount` of the deposit, as you have seen it. If it is not so by now, nothing is stored.',
    examples: [4],
  })
  ItemCount?: number;

  @OptionalField(sum, {
    description: '`expected` of the deposit, as you have seen it. If it is not so by now, nothing is stored.',
    examples: ['1610.66'],
  })
  Expected?: string;
}
