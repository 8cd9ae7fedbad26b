import { Get, Param, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { id, PathIdPipe, type Query as Sent, RequiredField } from '../../../http/index.js';
import {
  Amount,
  Form,
  FormReader,
  goTo,
  HiddenField,
  Link,
  type PageAnswer,
  PagesUnder,
  SentForm,
  showPage,
  SubmitButton,
} from '../../../pages/index.js';
import { AcceptReviewRequest, MEANING_OF_REASONS, Reviews } from '../../reviews/index.js';
import { SeenReview, seenReviewIn } from '../seen-review.js';
import { GiftFacts, GiverAsSent, PartsOfPayment } from './gift-facts.js';
import { HistoryOfGift, Reversals } from './gift-history.js';
import { type GiftDetails, ReadGift } from './read-gift.service.js';

class AcceptForm extends AcceptReviewRequest {
  @RequiredField(id, { description: 'The review.', examples: [3] })
  ReviewId!: number;
}

/** A gift with everything that is known of it, and what can be done about it. */
@PagesUnder('gifts')
export class GiftPages {
  constructor(
    private readonly readGift: ReadGift,
    private readonly reviews: Reviews,
    private readonly forms: FormReader,
  ) {}

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(@Param('id', PathIdPipe) contributionId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const of = await this.readGift.giftOf(contributionId);
    if (of !== contributionId) return goTo(`/console/gifts/${of}`, `Entry ${contributionId} belongs to this gift.`);
    const details = await this.readGift.of(contributionId, actorOf(caller));
    return giftPage({ ...details, mayChange: caller.roles.has('Finance') });
  }

  /** Accepts a review on the page of its gift. */
  @Post(':id/accept')
  @Page('Finance')
  async accept(
    @Param('id', PathIdPipe) contributionId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(AcceptForm, seenReviewIn(sent));
    if (!reading.isValid)
      return this.refuse(contributionId, caller, { message: CHOOSE_AGAIN, status: 400, code: 'invalid_request' });
    const { ReviewId: reviewId, PeopleId: peopleId, Reasons: reasons } = reading.value;
    try {
      await this.reviews.accept({ reviewId, seen: { peopleId, reasons }, by: actorOf(caller) });
      return goTo(`/console/gifts/${contributionId}`, `Gift ${contributionId} is kept as it is.`);
    } catch (error) {
      return this.refuse(contributionId, caller, this.forms.refused(reading.state, error));
    }
  }

  private async refuse(contributionId: number, caller: Caller, refusal: Refusal): Promise<PageAnswer> {
    const details = await this.readGift.of(contributionId, actorOf(caller));
    return giftPage({ ...details, mayChange: true, refusal });
  }
}

const CHOOSE_AGAIN = 'Nothing was changed. Please choose again.';

/** Why a review was not accepted. */
interface Refusal {
  readonly message?: string;
  readonly status: number;
  readonly code: string;
}

interface GiftPageProps extends GiftDetails {
  readonly mayChange: boolean;
  readonly refusal?: Refusal;
}

function giftPage({ refusal, ...props }: GiftPageProps): PageAnswer {
  const { gift, giver, mayChange } = props;
  return showPage({
    title: `Gift ${gift.contributionId}`,
    ...(refusal && { status: refusal.status, code: refusal.code }),
    heading: (
      <>
        <Amount value={gift.amount} currency={gift.currency} /> from {giver.first} {giver.last}
      </>
    ),
    actions: mayChange ? <Actions {...props} /> : undefined,
    content: (
      <>
        {refusal?.message !== undefined && (
          <div class="refusal" role="alert">
            {refusal.message} The gift is shown as it is now.
          </div>
        )}
        <OpenReviews {...props} />
        <GiftFacts {...props} />
        <PartsOfPayment {...props} />
        <GiverAsSent {...props} />
        <Reversals {...props} />
        <HistoryOfGift {...props} />
      </>
    ),
  });
}

function Actions({ gift, left }: GiftDetails): VNode {
  const path = `/console/gifts/${gift.contributionId}`;
  return (
    <>
      <Link to={`${path}/giver`} button hotkey="a">
        Change the giver
      </Link>
      {/[1-9]/.test(left) && (
        <>
          <Link to={`${path}/take-back`} button hotkey="t">
            Take back
          </Link>
          <Link to={`${path}/fund`} button hotkey="f">
            Move to another fund
          </Link>
        </>
      )}
    </>
  );
}

function OpenReviews({ gift, reviews, mayChange }: GiftPageProps): VNode | null {
  if (reviews.length === 0) return null;
  return (
    <section class="notice" aria-labelledby="review">
      <h2 id="review">Review</h2>
      {reviews.map((review) => (
        <div key={review.reviewId}>
          <ul>
            {review.reasons.map((reason) => (
              <li key={reason}>{MEANING_OF_REASONS[reason]}</li>
            ))}
          </ul>
          <div class="buttons">
            {mayChange && (
              <Form to={`/console/gifts/${gift.contributionId}/accept`}>
                <HiddenField name="ReviewId" value={String(review.reviewId)} />
                <SeenReview review={review} />
                <SubmitButton hotkey="1">Keep as it is</SubmitButton>
              </Form>
            )}
            <Link to={`/console/reviews/${review.reviewId}`}>Open the review</Link>
          </div>
        </div>
      ))}
    </section>
  );
}
