import type { VNode } from 'preact';
import { Confirmation, type FormState } from '../../../pages/index.js';
import type { FundView } from '../fund-view.js';
import { warningOfClosing } from './closed-default.js';

interface QuestionProps {
  readonly fund: FundView;
  /** Of the answer, if it was refused. */
  readonly state: FormState;
}

/** Asks before a fund is closed. */
export function AskToClose({ fund, state }: QuestionProps): VNode {
  const path = `/console/funds/${fund.fundId}`;
  const warning = warningOfClosing(fund);
  return (
    <Confirmation to={`${path}/close`} button={`Close ${fund.name}`} back={path} state={state}>
      <p>
        Gifts to a closed fund are still recorded, because the giver has paid, and wait under Reviews. No gift can be
        moved to it. You can open it again.
      </p>
      {warning !== undefined && (
        <p class="notice">
          <strong>{warning}</strong> Make another fund the default first.
        </p>
      )}
    </Confirmation>
  );
}

interface DefaultProps extends QuestionProps {
  /** The fund that is the default now. */
  readonly present: FundView | undefined;
}

/** Asks before a fund becomes the default. */
export function AskForDefault({ fund, present, state }: DefaultProps): VNode {
  const path = `/console/funds/${fund.fundId}`;
  return (
    <Confirmation
      to={`${path}/default`}
      fields={present === undefined ? {} : { Was: String(present.fundId) }}
      button={`Make ${fund.name} the default`}
      back={path}
      state={state}
    >
      <p>
        From now on, gifts that name no fund go to {fund.name}
        {present !== undefined && `, and no longer to ${present.name}`}. Gifts that are recorded stay where they are.
      </p>
    </Confirmation>
  );
}
