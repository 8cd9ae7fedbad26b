import { Param, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { id, PathIdPipe, type Query as Sent, RequiredField } from '../../../../http/index.js';
import { FormReader, goTo, type PageAnswer, PagesUnder, SentForm } from '../../../../pages/index.js';
import { Reviews } from '../../../reviews/index.js';

class AcceptForm {
  @RequiredField(id, { description: 'The review.', examples: [3] })
  ReviewId!: number;
}

/** Accepts the review of a gift on the page of the gift. */
@PagesUnder('gifts')
@Page('Finance')
export class AcceptGiftPages {
  constructor(
    private readonly reviews: Reviews,
    private readonly forms: FormReader,
  ) {}

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
