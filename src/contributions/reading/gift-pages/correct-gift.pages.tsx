import { randomUUID } from 'node:crypto';
import { Get, Param, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { id, PathIdPipe, type Query as Sent, RequiredField } from '../../../http/index.js';
import { SentRequest } from '../../../idempotency/index.js';
import {
  Amount,
  Confirmation,
  Facts,
  Form,
  FormReader,
  type FormState,
  goTo,
  HiddenField,
  keyAndRest,
  Link,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SelectField,
  SentForm,
  showPage,
  SubmitButton,
  TextField,
} from '../../../pages/index.js';
import { ContributionNotFoundError } from '../../ledger/index.js';
import { MoveContribution, MoveRequest, ReinstateContribution } from '../../reversals/index.js';
import { Reviews } from '../../reviews/index.js';
import { type GiftDetails, ReadGift } from './read-gift.service.js';
import { reasonInWords } from './wording.js';

class AcceptForm {
  @RequiredField(id, { description: 'The review.', examples: [3] })
  ReviewId!: number;
}

/** Moves a gift to another fund, gives back what was taken, and accepts a review. */
@PagesUnder('gifts')
@Page('Finance')
export class CorrectGiftPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly moveContribution: MoveContribution,
    private readonly reinstateContribution: ReinstateContribution,
    private readonly reviews: Reviews,
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

  @Get(':id/reinstate/:entryId')
  async confirmReinstating(
    @Param('id', PathIdPipe) contributionId: number,
    @Param('entryId', PathIdPipe) entryId: number,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    return reinstatePage(await this.readGift.of(contributionId, actorOf(caller)), entryId);
  }

  @Post(':id/reinstate/:entryId')
  async reinstate(
    @Param('id', PathIdPipe) contributionId: number,
    @Param('entryId', PathIdPipe) entryId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() user: Caller,
  ): Promise<PageAnswer> {
    const { key } = keyAndRest(sent);
    const request = new SentRequest({ contributionId: entryId, notes: undefined });
    const command = { contributionId: entryId, notes: undefined, user, key, sent: request };
    const { answer } = await this.reinstateContribution.reinstate(command);
    return goTo(`/console/gifts/${contributionId}`, `It was given back as gift ${answer.contributionIds.join(', ')}.`);
  }

  @Post(':id/accept')
  async accept(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(AcceptForm, sent);
    const path = `/console/gifts/${contributionId}`;
    if (!reading.isValid) return goTo(path);
    await this.reviews.accept({ reviewId: reading.value.ReviewId, by: actorOf(caller) });
    return goTo(path, 'The gift is right as it is. Nothing is left to check.');
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

function reinstatePage(details: GiftDetails, entryId: number): PageAnswer {
  const { gift, giver, reversals, left } = details;
  const entry = reversals.find(({ contributionId }) => contributionId === entryId);
  if (entry === undefined) throw new ContributionNotFoundError(entryId);
  const path = `/console/gifts/${gift.contributionId}`;
  const amount = entry.amount.replace('-', '');
  return showPage({
    title: `Give back what entry ${entryId} took?`,
    content: (
      <Confirmation
        to={`${path}/reinstate/${entryId}`}
        fields={{ Key: randomUUID() }}
        button={`Give back ${amount}`}
        back={path}
      >
        <Facts
          facts={[
            ['Giver', `${giver.first} ${giver.last}`],
            ['Given back', <Amount value={amount} currency={gift.currency} />],
            ['Left now', <Amount value={left} currency={gift.currency} />],
            ['It was taken back as', entry.reason === null ? 'No reason was sent' : reasonInWords(entry.reason)],
          ]}
        />
        <p>
          Do this if the money is at the church after all, such as after a dispute that was won. A new gift of the same
          payment is added, on the day of the first one and in your bundle of today. If the money was taken from several
          funds at once, each gets its part back.
        </p>
      </Confirmation>
    ),
  });
}
