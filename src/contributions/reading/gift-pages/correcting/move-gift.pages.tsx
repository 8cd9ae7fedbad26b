import { randomUUID } from 'node:crypto';
import { Get, Param, Post, Query } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import { keyAfter, keyAndRest, SentRequest } from '../../../../idempotency/index.js';
import {
  Form,
  FormReader,
  type FormState,
  HiddenField,
  HiddenFields,
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
import { Funds } from '../../../funds/index.js';
import { MoveContribution, MoveRequest } from '../../../reversals/index.js';
import { ReadGift } from '../read-gift.service.js';
import { giftInWords } from '../wording.js';
import { PresentGift } from './present-gift.js';
import { type GiftToCorrect, originAndRest, originFields, ReviewOrigin, wayBack } from './review-origin.service.js';

/** Moves a gift to another fund. A review of a gift in a closed fund leads here, and from here to the next one. */
@PagesUnder('gifts')
@Page('Finance')
export class MoveGiftPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly moveContribution: MoveContribution,
    private readonly funds: Funds,
    private readonly origin: ReviewOrigin,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/fund')
  async fundForm(
    @Param('id', PathIdPipe) contributionId: number,
    @Query() query: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const review = await this.origin.of(contributionId, originAndRest(query).reviewId);
    const details = await this.readGift.of(contributionId, actorOf(caller));
    return fundPage({ details, review, state: NEW_FORM, formKey: randomUUID() });
  }

  @Post(':id/fund')
  async move(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() user: Caller,
  ): Promise<PageAnswer> {
    const { reviewId, rest: fields } = originAndRest(sent);
    const { key, rest: form } = keyAndRest(fields);
    const review = await this.origin.of(contributionId, reviewId);
    const { fundIds, rest } = seenFundsAndRest(form);
    const reading = this.forms.read(MoveRequest, rest);
    const refuse = async (state: FormState, status: number, code: string): Promise<PageAnswer> => {
      const details = await this.readGift.of(contributionId, actorOf(user));
      return fundPage({ details, review, state, formKey: keyAfter(code, key), status, code });
    };
    if (!reading.isValid) return refuse(reading.state, 400, 'invalid_request');
    const { FundId: fundId, Left: left, Reason: reason } = reading.value;
    const request = new SentRequest({ contributionId, fundId, reason });
    const command = { contributionId, fundId, seen: { left, fundIds }, reason, user, key, sent: request };
    try {
      const { contributionIds } = (await this.moveContribution.move(command)).answer;
      const [sum, { name }] = [await this.readGift.sumInWords(contributionIds), await this.funds.show(fundId)];
      const message = `${sum} of gift ${contributionId} is in the fund ${name} now.`;
      return await this.origin.goOn(contributionId, review, message);
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return refuse(state, status, code);
    }
  }
}

const SEEN_FUNDS = 'SeenFunds';

/** The funds that the form has shown, and the other fields. */
function seenFundsAndRest({ [SEEN_FUNDS]: sent, ...rest }: Sent): {
  readonly fundIds: readonly number[] | undefined;
  readonly rest: Sent;
} {
  return {
    fundIds: typeof sent === 'string' && /^\d+(,\d+)*$/.test(sent) ? sent.split(',').map(Number) : undefined,
    rest,
  };
}

interface FundPageProps extends GiftToCorrect {
  readonly state: FormState;
  /** By which the form acts once. */
  readonly formKey: string;
  readonly status?: number;
  readonly code?: string;
}

function fundPage(props: FundPageProps): PageAnswer {
  const { details, status = 200, code } = props;
  const { gift, gifts } = details;
  const [back, label] = wayBack(props);
  const present = new Map(gifts.filter((one) => /[1-9]/.test(one.left)).map(({ fundId, fund }) => [fundId, fund]));
  return showPage({
    title: `Move gift ${gift.contributionId} to another fund`,
    heading: <>Move {giftInWords(details)} to another fund</>,
    status,
    ...(code !== undefined && { code }),
    content: (
      <>
        <PresentGift {...details} />
        <FundForm {...props} present={present} />
        <p class="back">
          <Link to={back}>{label}</Link>
        </p>
      </>
    ),
  });
}

interface FundFormProps extends FundPageProps {
  /** The funds in which something is left, with their names. */
  readonly present: ReadonlyMap<number, string>;
}

/** Sends along what is shown: the amount, and the funds in which it is. */
function FundForm({ details: { gift, gifts, left, funds }, review, state, formKey, present }: FundFormProps): VNode {
  const options = funds
    .filter(({ open, fundId }) => open && !(present.size === 1 && present.has(fundId)))
    .map(({ fundId, name }) => [String(fundId), name] as const);
  if (present.size === 0) return <p class="empty">{state.message ?? 'Nothing is left that could be moved.'}</p>;
  if (options.length === 0) {
    return <p class="empty">There is no other open fund. Add one on the page of funds first.</p>;
  }
  return (
    <Form to={`/console/gifts/${gift.contributionId}/fund`} state={state}>
      <HiddenFields values={originFields(review)} />
      <HiddenField name="Key" value={formKey} />
      <HiddenField name="Left" value={left} />
      <HiddenField name={SEEN_FUNDS} value={[...present.keys()].join(',')} />
      <SelectField name="FundId" label="New fund" options={[['', 'Please choose'], ...options]} required />
      <TextField
        name="Reason"
        label="Why"
        help="For the books, such as “The giver meant the roof”. The processor’s user can read it, too."
        required
      />
      <p class="help">
        The gift keeps its day and its bundle, even a closed one. The move itself counts today: your bundle of today
        gets the amount with a minus for the old fund, and with a plus for the new one.
        {gifts.length > 1 && ` All ${gifts.length} gifts of the payment move.`}
      </p>
      <SubmitButton>Move to this fund</SubmitButton>
    </Form>
  );
}
