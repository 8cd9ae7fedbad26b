import type { VNode } from 'preact';
import {
  Amount,
  Day,
  Form,
  type FormState,
  groupedAmount,
  HiddenField,
  Link,
  SelectField,
  SubmitButton,
  TextField,
} from '../../../../pages/index.js';
import { REVERSAL_REASONS, type ReversalReason } from '../../../events/index.js';
import type { ContributionView } from '../../contribution-view.js';

interface TakeBackToConfirmProps {
  readonly reviewId: number;
  readonly gift: ContributionView;
  /** What is left of the payment, decimal text. */
  readonly left: string;
  /** The likely reason. */
  readonly reason: ReversalReason;
  readonly state: FormState;
}

/** What taking a gift back does, with figures, and why it is done. */
export function TakeBackToConfirm(props: TakeBackToConfirmProps): VNode {
  const { reviewId, gift, left, reason, state } = props;
  const path = `/console/reviews/${reviewId}`;
  return (
    <section class="confirmation">
      <WhatHappens {...props} />
      <Form to={`${path}/take-back`} state={state}>
        <HiddenField name="Amount" value={left} />
        <SelectField
          name="Reason"
          label="Reason"
          value={reason}
          options={Object.entries(REVERSAL_REASONS).map(([name, { meaning }]) => [name, `${name}: ${meaning}`])}
          required
        />
        <TextField
          name="Note"
          label="Note"
          help="Stored with the entry. The processor can read it, too."
          maxLength={4000}
        />
        <div class="buttons">
          <SubmitButton kind="danger" hotkey="y">
            Take back {gift.currency} {groupedAmount(left)} of gift {gift.contributionId}
          </SubmitButton>
          <Link to={path}>Cancel</Link>
        </div>
      </Form>
    </section>
  );
}

function WhatHappens({ gift, left }: TakeBackToConfirmProps): VNode {
  const { currency, giver, payment, peopleId, day } = gift;
  const parts = payment.parts.length;
  return (
    <>
      <p>
        <strong>
          <Amount value={left} currency={currency} />
        </strong>{' '}
        {parts > 1 ? `is left of the payment with ${parts} parts` : 'is left of the gift'} of{' '}
        {giver === null ? `person ${peopleId}` : `${giver.first} ${giver.last}`} of <Day value={day} />. All of it is
        taken back.
      </p>
      <p>
        A negative entry is added to the bundle of today, also if that of the gift is closed, and Finance is notified by
        mail. No money moves: the processor or the bank sends it back.
      </p>
    </>
  );
}
