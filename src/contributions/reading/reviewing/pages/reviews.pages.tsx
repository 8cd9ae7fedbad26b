import { Get, OnModuleInit, Param, Post, Query } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../../../http/index.js';
import {
  FormReader,
  Link,
  ListCount,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  Pagination,
  SentForm,
  type ShownForm,
  shownRows,
  showPage,
} from '../../../../pages/index.js';
import { Funds } from '../../../funds/index.js';
import {
  AcceptReviewRequest,
  ListReviewsRequest,
  ReassignContribution,
  ReassignRequest,
  Reviews,
  REVIEWS_PER_LIST,
} from '../../../reviews/index.js';
import { seenReviewIn } from '../../seen-review.js';
import { giftInWords } from '../../gift-pages/wording.js';
import { ListOpenReviews } from '../list-open-reviews.service.js';
import { ReadReview } from '../read-review.service.js';
import { NextReview } from './next-review.js';
import { ReviewToDecide } from './review-to-decide.js';
import { ReviewTable } from './review-list.js';

const REVIEWS = '/console/reviews';

/** The pages of reviews. Auditors see them without decisions. */
@PagesUnder('reviews')
export class ReviewPages implements OnModuleInit {
  constructor(
    private readonly openReviews: ListOpenReviews,
    private readonly readReview: ReadReview,
    private readonly reviews: Reviews,
    private readonly reassignContribution: ReassignContribution,
    private readonly funds: Funds,
    private readonly next: NextReview,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Reviews', to: REVIEWS, letter: 'r', position: 23, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@Query() query: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(ListReviewsRequest, query);
    const after = (reading.isValid ? reading.value.after : undefined) ?? 0;
    const listed = await this.openReviews.after(after, actorOf(caller));
    const last = listed.at(-1)?.review.reviewId;
    const rows = shownRows(query, listed.length);
    const count = { rows: await this.reviews.countOpen(), more: false };
    return showPage({
      title: 'Reviews',
      content: (
        <>
          <div class="list-head">
            <ListCount {...rows} count={count} of={['open review', 'open reviews']} />
          </div>
          <ReviewTable reviews={listed} />
          <Pagination
            to={REVIEWS}
            query={{}}
            next={last !== undefined && listed.length === REVIEWS_PER_LIST ? { after: last } : undefined}
            isLater={after > 0}
            rows={rows}
          />
        </>
      ),
    });
  }

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(@Param('id', PathIdPipe) reviewId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return this.page(reviewId, caller, NEW_FORM);
  }

  @Post(':id/accept')
  @Page('Finance')
  async accept(
    @Param('id', PathIdPipe) reviewId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(AcceptReviewRequest, seenReviewIn(sent));
    if (!reading.isValid)
      return this.page(reviewId, caller, { ...reading.state, status: 400, code: 'invalid_request' });
    const { PeopleId: peopleId, Reasons: reasons } = reading.value;
    try {
      const accepted = await this.reviews.accept({ reviewId, seen: { peopleId, reasons }, by: actorOf(caller) });
      const what = `Gift ${accepted.contributionId} is kept as it is.`;
      const isFirst = accepted.acceptedBy === caller.username;
      return await this.next.after(reviewId, isFirst ? what : `${what} Somebody else has said so before.`);
    } catch (error) {
      return this.page(reviewId, caller, this.forms.refused(reading.state, error));
    }
  }

  @Post(':id/give')
  @Page('Finance')
  async give(
    @Param('id', PathIdPipe) reviewId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(ReassignRequest, sent);
    if (!reading.isValid)
      return this.page(reviewId, caller, { ...reading.state, status: 400, code: 'invalid_request' });
    const { contributionId } = await this.reviews.show(reviewId);
    const { PeopleId: peopleId, FromPeopleId: fromPeopleId } = reading.value;
    try {
      const by = actorOf(caller);
      await this.reassignContribution.reassign({ contributionId, peopleId, fromPeopleId, by });
      return await this.next.after(reviewId, `Gift ${contributionId} has another giver now.`);
    } catch (error) {
      return this.page(reviewId, caller, this.forms.refused(reading.state, error));
    }
  }

  private async page(reviewId: number, caller: Caller, { status, code, ...state }: ShownForm): Promise<PageAnswer> {
    const review = await this.readReview.of(reviewId, actorOf(caller));
    const funds = await this.funds.list();
    return showPage({
      title: `Review of gift ${review.contributionId}`,
      heading: <>Review: {giftInWords({ gift: review.gift, giver: review.giver.person })}</>,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      ...(review.next !== null && {
        actions: (
          <Link to={`${REVIEWS}/${review.next}`} button hotkey="n">
            Next review
          </Link>
        ),
      }),
      content: (
        <ReviewToDecide
          review={review}
          fundNames={new Map(funds.map(({ fundId, name }) => [fundId, name]))}
          mayDecide={caller.roles.has('Finance')}
          state={state}
        />
      ),
    });
  }
}
