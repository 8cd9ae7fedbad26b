import { randomUUID } from 'node:crypto';
import { Get, Param, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import { SentRequest } from '../../../../idempotency/index.js';
import {
  Amount,
  Facts,
  Form,
  FormReader,
  type FormState,
  goTo,
  HiddenField,
  Link,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SelectField,
  SentForm,
  showPage,
  SubmitButton,
  TextField,
} from '../../../../pages/index.js';
import { MoveContribution, MoveRequest } from '../../../reversals/index.js';
import { keyAndRest } from '../../form-key.js';
import { type GiftDetails, ReadGift } from '../read-gift.service.js';

/** Moves a gift to another fund. */
@PagesUnder('gifts')
@Page('Finance')
export class MoveGiftPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly moveContribution: MoveContribution,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/fund')
  async fundForm(
    @Param('id', PathIdPipe) contributionId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    return fundPage(await this.readGift.of(contributionId, actorOf(caller)), NEW_FORM);
  }

  @Post(':id/fund')
  async move(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() user: Caller,
  ): Promise<PageAnswer> {
    const { key, rest } = keyAndRest(sent);
    const reading = this.forms.read(MoveRequest, rest);
    const by = actorOf(user);
    if (!reading.isValid) {
      return fundPage(await this.readGift.of(contributionId, by), reading.state, 400, 'invalid_request');
    }
    const { FundId: fundId, Reason: reason } = reading.value;
    const sentRequest = new SentRequest({ contributionId, fundId, reason });
    try {
      await this.moveContribution.move({ contributionId, fundId, reason, user, key, sent: sentRequest });
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return fundPage(await this.readGift.of(contributionId, by), state, status, code);
    }
    return goTo(`/console/gifts/${contributionId}`, `What is left of the gift is in fund ${fundId} now.`);
  }
}

function fundPage(details: GiftDetails, state: FormState, status = 200, code?: string): PageAnswer {
  const { gift, gifts, left } = details;
  const path = `/console/gifts/${gift.contributionId}`;
  const present = [...new Set(gifts.filter((one) => /[1-9]/.test(one.left)).map(({ fund }) => fund))];
  return showPage({
    title: `Move gift ${gift.contributionId} to another fund`,
    status,
    ...(code !== undefined && { code }),
    content: (
      <>
        <Facts
          facts={[
            ['Giver', `${details.giver.first} ${details.giver.last}`],
            ['Left', <Amount value={left} currency={gift.currency} />],
            ['Fund', present.join(', ') || 'Nothing is left of it'],
          ]}
        />
        <FundForm details={details} state={state} present={present} />
        <p class="back">
          <Link to={path}>Back to the gift</Link>
        </p>
      </>
    ),
  });
}

interface FundFormProps {
  readonly details: GiftDetails;
  readonly state: FormState;
  /** The funds in which something is left. */
  readonly present: readonly string[];
}

function FundForm({ details: { gift, gifts, funds }, state, present }: FundFormProps): VNode {
  const options = funds
    .filter(({ open, name }) => open && !(present.length === 1 && present[0] === name))
    .map(({ fundId, name }) => [String(fundId), name] as const);
  if (options.length === 0) {
    return <p class="empty">There is no other open fund. Add one on the page of funds first.</p>;
  }
  return (
    <Form to={`/console/gifts/${gift.contributionId}/fund`} state={state}>
      <HiddenField name="Key" value={state.typed['Key'] ?? randomUUID()} />
      <SelectField name="FundId" label="New fund" options={[['', 'Please choose'], ...options]} required />
      <TextField
        name="Reason"
        label="Why"
        help="For the books, such as “The giver meant the roof”. The processor’s user can read it, too."
        required
      />
      <p class="help">
        What is left of the gift moves by two entries in your bundle of today. Closed bundles do not change.
        {gifts.length > 1 && ` All ${gifts.length} gifts of the payment move.`}
      </p>
      <SubmitButton>Move to this fund</SubmitButton>
    </Form>
  );
}
