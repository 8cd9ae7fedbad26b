import { Get, Param } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { PathIdPipe } from '../../../http/index.js';
import {
  Amount,
  Form,
  goTo,
  HiddenField,
  Link,
  type PageAnswer,
  PagesUnder,
  showPage,
  SubmitButton,
} from '../../../pages/index.js';
import { MEANING_OF_REASONS } from '../../reviews/index.js';
import { GiftFacts, GiverAsSent, PartsOfPayment } from './gift-facts.js';
import { HistoryOfGift, Reversals } from './gift-history.js';
import { type GiftDetails, ReadGift } from './read-gift.service.js';

/** A gift with everything that is known of it, and what can be done about it. */
@PagesUnder('gifts')
export class GiftPages {
  constructor(private readonly readGift: ReadGift) {}

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(@Param('id', PathIdPipe) contributionId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const details = await this.readGift.of(contributionId, actorOf(caller));
    const { gift, giver } = details;
    const of = gift.reverses ?? gift.moves;
    if (of !== null) return goTo(`/console/gifts/${of}`, `Entry ${contributionId} belongs to this gift.`);
    const mayChange = caller.roles.has('Finance');
    return showPage({
      title: `Gift ${contributionId}`,
      heading: (
        <>
          <Amount value={gift.amount} currency={gift.currency} /> from {giver.first} {giver.last}
        </>
      ),
      actions: mayChange ? <Actions {...details} /> : undefined,
      content: (
        <>
          <OpenReviews {...details} mayChange={mayChange} />
          <GiftFacts {...details} />
          <PartsOfPayment {...details} />
          <GiverAsSent {...details} />
          <Reversals {...details} mayChange={mayChange} />
          <HistoryOfGift {...details} />
        </>
      ),
    });
  }
}

function Actions({ gift, left }: GiftDetails): VNode {
  const path = `/console/gifts/${gift.contributionId}`;
  return (
    <>
      <Link to={`${path}/giver`} button hotkey="a">
        Give to another person
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

function OpenReviews({ gift, reviews, mayChange }: GiftDetails & { readonly mayChange: boolean }): VNode | null {
  if (reviews.length === 0) return null;
  return (
    <section class="notice" aria-labelledby="to-check">
      <h2 id="to-check">To check</h2>
      {reviews.map(({ reviewId, reasons }) => (
        <div key={reviewId}>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{MEANING_OF_REASONS[reason]}</li>
            ))}
          </ul>
          <div class="buttons">
            {mayChange && (
              <Form to={`/console/gifts/${gift.contributionId}/accept`}>
                <HiddenField name="ReviewId" value={String(reviewId)} />
                <SubmitButton hotkey="1">It is right as it is</SubmitButton>
              </Form>
            )}
            <Link to={`/console/reviews/${reviewId}`}>Compare on the page of the review</Link>
          </div>
        </div>
      ))}
    </section>
  );
}
