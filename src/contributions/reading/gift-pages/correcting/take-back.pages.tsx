import { Get, Param, Post, Query } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, FinanceContacts, Page } from '../../../../auth/index.js';
import { InvalidRequestError, PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import { keyAndRest, SentRequest } from '../../../../idempotency/index.js';
import {
  FormReader,
  type FormState,
  Link,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
  typedIn,
} from '../../../../pages/index.js';
import { fault } from '../../../../values/index.js';
import {
  REVERSAL_EXCEEDS_GIFT,
  ReverseAsFinanceRequest,
  ReverseContribution,
  type ReverseContributionCommand,
} from '../../../reversals/index.js';
import { type GiftDetails, ReadGift } from '../read-gift.service.js';
import { giftInWords } from '../wording.js';
import { amountChosen, CHANGE, typedAgain, withoutChoice } from './amount-to-take-back.js';
import { TakeBackConfirmation, takenInWords } from './take-back-confirmation.js';
import { PresentGift } from './present-gift.js';
import { type GiftToCorrect, originAndRest, ReviewOrigin, wayBack } from './review-origin.service.js';
import { TakeBackForm } from './take-back-form.js';

/** What to do about a refused form. */
interface Refusal {
  readonly state: FormState;
  readonly status?: number;
  readonly code?: string;
}

const MORE_THAN_LEFT = { field: 'Amount', message: 'is more than is left' };

const invalid = (state: FormState): Refusal => ({ state, status: 400, code: 'invalid_request' });

/** Takes back a gift, or a part of it. It is asked first. A review of the gift leads here, and from here to the next one. */
@PagesUnder('gifts')
@Page('Finance')
export class TakeBackPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly reverseContribution: ReverseContribution,
    private readonly origin: ReviewOrigin,
    private readonly financeContacts: FinanceContacts,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/take-back')
  async form(
    @Param('id', PathIdPipe) contributionId: number,
    @Query() query: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const review = await this.origin.of(contributionId, originAndRest(query).reviewId);
    return formPage({ details: await this.readGift.of(contributionId, actorOf(caller)), review }, { state: NEW_FORM });
  }

  /**
   * Shows what would happen. It makes the reversal and rolls it back, so that it finds every reason to refuse it. The question
   * comes back to here if somebody wants to change something: what was typed is in no address, because a note may name people.
   */
  @Post(':id/take-back')
  async confirm(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { [CHANGE]: change, ...fields } = sent;
    const { reviewId, rest: form } = originAndRest(fields);
    const { choice, rest, faults } = amountChosen(form);
    const reading = this.forms.read(ReverseAsFinanceRequest, rest, ['Amount']);
    const review = await this.origin.of(contributionId, reviewId);
    const details = await this.readGift.of(contributionId, actorOf(caller));
    if (change !== undefined) return formPage({ details, review }, { state: { typed: typedAgain(form), faults: [] } });
    const typed = typedIn(form);
    if (!reading.isValid || faults.length > 0) {
      return formPage(
        { details, review },
        invalid({ ...reading.state, typed, faults: [...faults, ...reading.state.faults] }),
      );
    }
    const { value: request } = reading;
    try {
      assertGiftHasFund(details, request);
      await this.reverseContribution.preview(commandOf(contributionId, request, caller));
    } catch (error) {
      return formPage({ details, review }, this.refused({ ...reading.state, typed }, error));
    }
    return showPage({
      title: `Take back gift ${contributionId}?`,
      heading: <>Take back {takenInWords(details, request)}?</>,
      content: <TakeBackConfirmation details={details} review={review} request={request} howMuch={choice} />,
    });
  }

  @Post(':id/take-back/confirm')
  async takeBack(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { reviewId, rest: form } = originAndRest(sent);
    const { key, rest } = keyAndRest(form);
    const reading = this.forms.read(ReverseAsFinanceRequest, withoutChoice(rest));
    const review = await this.origin.of(contributionId, reviewId);
    const refuse = async (refusal: Refusal): Promise<PageAnswer> =>
      formPage({ details: await this.readGift.of(contributionId, actorOf(caller)), review }, refusal);
    const state = { ...reading.state, typed: typedAgain(rest) };
    if (!reading.isValid) return refuse(invalid(state));
    try {
      await this.reverseContribution.reverse({ ...commandOf(contributionId, reading.value, caller), key });
    } catch (error) {
      return refuse(this.refused(state, error));
    }
    const done = await this.readGift.inWords(contributionId, reading.value.Amount);
    const isNotified = (await this.financeContacts.addresses()).length > 0;
    const notice = isNotified ? 'Finance will be notified.' : 'No one is notified: see the notices.';
    const message = `${done} of gift ${contributionId} was taken back. ${notice}`;
    return this.origin.goOn(contributionId, review, message);
  }

  private refused(state: FormState, error: unknown): Refusal {
    const { status, code, ...refused } = this.forms.refused(state, error);
    const faults = code === REVERSAL_EXCEEDS_GIFT.code ? [MORE_THAN_LEFT] : refused.faults;
    return { state: { ...refused, faults }, status, code };
  }
}

function commandOf(
  contributionId: number,
  { Amount: amount, Left: left, FundId: fundId, Reason: reason, Note: notes }: ReverseAsFinanceRequest,
  user: Caller,
): ReverseContributionCommand {
  const sent = new SentRequest({ contributionId, amount, fundId, reason, notes });
  const what = { payment: { contributionId }, source: null, amount, left, fundId, reason, notes };
  return { ...what, user, operation: 'ReverseAsFinance', key: undefined, sent };
}

function assertGiftHasFund({ gifts }: GiftDetails, { FundId: fundId }: ReverseAsFinanceRequest): void {
  if (fundId !== undefined && !gifts.some((gift) => gift.fundId === fundId)) {
    throw InvalidRequestError.ofReadings({ FundId: fault('is not a fund of this payment') });
  }
}

function formPage(gift: GiftToCorrect, { state, status = 200, code }: Refusal): PageAnswer {
  const { details } = gift;
  const [back, label] = wayBack(gift);
  return showPage({
    title: `Take back gift ${details.gift.contributionId}`,
    heading: <>Take back {giftInWords(details)}</>,
    status,
    ...(code !== undefined && { code }),
    content: (
      <>
        <PresentGift {...details} />
        <TakeBackForm {...gift} state={state} />
        <p class="back">
          <Link to={back}>{label}</Link>
        </p>
      </>
    ),
  });
}
