import { randomUUID } from 'node:crypto';
import { Get, Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { InvalidRequestError, PathIdPipe, type Query as Sent } from '../../../http/index.js';
import { SentRequest } from '../../../idempotency/index.js';
import {
  Amount,
  Confirmation,
  Facts,
  FormReader,
  type FormState,
  goTo,
  keyAndRest,
  Link,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
} from '../../../pages/index.js';
import { displayAmount, fault, fromCents, sumOfAmounts, toCents } from '../../../values/index.js';
import {
  ReverseAsFinanceRequest,
  ReverseContribution,
  type ReverseContributionCommand,
} from '../../reversals/index.js';
import { type GiftDetails, ReadGift } from './read-gift.service.js';
import { PresentGift, TakeBackForm } from './take-back-form.js';
import { reasonInWords } from './wording.js';

/** What to do about a refused form. */
interface Refusal {
  readonly state: FormState;
  readonly status?: number;
  readonly code?: string;
}

/** Takes back a gift, or a part of it. It is asked first. */
@PagesUnder('gifts')
@Page('Finance')
export class TakeBackPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly reverseContribution: ReverseContribution,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/take-back')
  async form(@Param('id', PathIdPipe) contributionId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return formPage(await this.readGift.of(contributionId, actorOf(caller)), { state: NEW_FORM });
  }

  /** Shows what would happen. It makes the reversal and rolls it back, so that it finds every reason to refuse it. */
  @Post(':id/take-back')
  async confirm(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(ReverseAsFinanceRequest, sent);
    const details = await this.readGift.of(contributionId, actorOf(caller));
    if (!reading.isValid) return formPage(details, { state: reading.state, status: 400, code: 'invalid_request' });
    try {
      assertGiftHasFund(details, reading.value);
      await this.reverseContribution.preview(commandOf(contributionId, reading.value, caller));
    } catch (error) {
      return formPage(details, this.refused(reading.state, error));
    }
    return confirmationPage(details, reading.value);
  }

  @Post(':id/take-back/confirm')
  async takeBack(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { key, rest } = keyAndRest(sent);
    const reading = this.forms.read(ReverseAsFinanceRequest, rest);
    const by = actorOf(caller);
    if (!reading.isValid) {
      const details = await this.readGift.of(contributionId, by);
      return formPage(details, { state: reading.state, status: 400, code: 'invalid_request' });
    }
    const command = { ...commandOf(contributionId, reading.value, caller), key };
    try {
      await this.reverseContribution.reverse(command);
    } catch (error) {
      return formPage(await this.readGift.of(contributionId, by), this.refused(reading.state, error));
    }
    const amount = reading.value.Amount ?? 'All';
    return goTo(`/console/gifts/${contributionId}`, `${amount} was taken back. Finance is notified.`);
  }

  private refused(state: FormState, error: unknown): Refusal {
    const { status, code, ...refused } = this.forms.refused(state, error);
    return { state: refused, status, code };
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

function formPage(details: GiftDetails, { state, status = 200, code }: Refusal): PageAnswer {
  const { gift } = details;
  const path = `/console/gifts/${gift.contributionId}`;
  return showPage({
    title: `Take back gift ${gift.contributionId}`,
    status,
    ...(code !== undefined && { code }),
    content: (
      <>
        <PresentGift {...details} />
        <TakeBackForm details={details} state={state} />
        <p class="back">
          <Link to={path}>Back to the gift</Link>
        </p>
      </>
    ),
  });
}

function confirmationPage(details: GiftDetails, request: ReverseAsFinanceRequest): PageAnswer {
  const { gift, gifts, left } = details;
  const path = `/console/gifts/${gift.contributionId}`;
  const { FundId: fundId, Reason: reason, Note: note } = request;
  const eligible = gifts.filter((one) => fundId === undefined || one.fundId === fundId);
  const amount = displayAmount(request.Amount ?? sumOfAmounts(eligible.map((one) => one.left)), gift.currency);
  const after = displayAmount(fromCents(toCents(left) - toCents(amount)), gift.currency);
  const fields = {
    ...{ Amount: amount, Left: left, Reason: reason, Key: randomUUID() },
    ...(fundId !== undefined && { FundId: String(fundId) }),
    ...(note !== undefined && { Note: note }),
  };
  return showPage({
    title: `Take back gift ${gift.contributionId}?`,
    content: (
      <Confirmation to={`${path}/take-back/confirm`} fields={fields} button={`Take back ${amount}`} back={path}>
        <Facts
          facts={[
            ['Giver', `${details.giver.first} ${details.giver.last}`],
            ['Taken back', <Amount value={`-${amount}`} currency={gift.currency} />],
            ['Left afterwards', <Amount value={after} currency={gift.currency} />],
            ['Why', reasonInWords(reason)],
            ...(fundId === undefined ? [] : [['Fund', eligible[0]?.fund ?? ''] as const]),
            ...(note === undefined ? [] : [['Note', note] as const]),
          ]}
        />
        <p>
          The books get an entry with a minus in your bundle of today. The gift itself stays in them, and so does this
          entry: it can be given back, but not deleted. Finance is notified by e-mail. No money is sent: the processor
          or the bank does that.
        </p>
      </Confirmation>
    ),
  });
}
