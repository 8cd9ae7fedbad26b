import type { VNode } from 'preact';
import {
  amountInWords,
  ChoiceField,
  Form,
  type FormState,
  HiddenFields,
  SelectField,
  SubmitButton,
  TextArea,
  TextField,
} from '../../../../pages/index.js';
import type { ReversalReason } from '../../../events/index.js';
import type { ReviewReason, ReviewView } from '../../../reviews/index.js';
import { REASON_OPTIONS } from '../wording.js';
import { ALL, HOW_MUCH, PART } from './amount-to-take-back.js';
import { type GiftToCorrect, originFields } from './review-origin.service.js';

interface TakeBackFormProps extends GiftToCorrect {
  readonly state: FormState;
}

/** How much to take back, and why. */
export function TakeBackForm({ details, review, state }: TakeBackFormProps): VNode {
  const { gift, gifts, left } = details;
  const funds = new Map(gifts.map(({ fundId, fund }) => [String(fundId), fund]));
  if (!/[1-9]/.test(left)) {
    return <p class="empty">{state.message ?? 'Nothing is left of this gift that could be taken back.'}</p>;
  }
  return (
    <Form to={`/console/gifts/${gift.contributionId}/take-back`} state={state}>
      <HiddenFields values={originFields(review)} />
      <AmountFields left={amountInWords(left, gift.currency)} />
      {funds.size > 1 && (
        <SelectField
          name="FundId"
          label="From which fund"
          options={[['', 'All funds, in proportion to what is left'], ...funds]}
        />
      )}
      <SelectField
        name="Reason"
        label="Why"
        value={review && reasonFor(review)}
        options={[['', 'Please choose'], ...REASON_OPTIONS]}
        required
      />
      <TextArea
        name="Note"
        label="Note"
        help="For the books, such as “Check 1042 bounced”. The processor’s user can read it, too."
      />
      <SubmitButton>Continue</SubmitButton>
    </Form>
  );
}

function AmountFields({ left }: { readonly left: string }): VNode {
  return (
    <>
      <ChoiceField
        name={HOW_MUCH}
        label="How much"
        options={[
          [ALL, `All that is left: ${left}`],
          [PART, 'A part, which is typed below'],
        ]}
        autofocus
      />
      <TextField name="Amount" label="Amount to take back" help="Only for a part." inputMode="decimal" />
    </>
  );
}

const OF_SAME_GIFT: readonly ReviewReason[] = ['possible_duplicate', 'similar_row'];

/** The likely reason to take back the gift of a review. */
function reasonFor({ reasons }: ReviewView): ReversalReason {
  return reasons.some((reason) => OF_SAME_GIFT.includes(reason)) ? 'duplicate' : 'error';
}
