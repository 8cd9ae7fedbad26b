import { Get, Param, Post, Query } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { PathIdPipe, type Query as Sent, QueryPipe } from '../../../../http/index.js';
import {
  FormReader,
  goTo,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  queryOf,
  SentForm,
  type ShownForm,
  showPage,
} from '../../../../pages/index.js';
import { MergePersons } from '../../../../people/index.js';
import { Reviews } from '../../../reviews/index.js';
import { PreviewMerge } from '../../merging/preview-merge.service.js';
import { NextReview } from './next-review.js';
import { ChosenMerge, ConfirmedMerge } from './settle-review.requests.js';
import { MergeComparison, mergeInWords } from '../../people-pages/merge-comparison.js';

/** Settles a review by a merge of its persons, which is confirmed with figures. */
@PagesUnder('reviews')
@Page('Finance')
export class SettleReviewPages {
  constructor(
    private readonly reviews: Reviews,
    private readonly previewMerge: PreviewMerge,
    private readonly mergePersons: MergePersons,
    private readonly next: NextReview,
    private readonly forms: FormReader,
  ) {}

  @Get(':id/merge')
  async confirmMerge(
    @Param('id', PathIdPipe) reviewId: number,
    @Query(QueryPipe) { other, keep }: ChosenMerge,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const { peopleId } = await this.reviews.show(reviewId);
    // The older record is the one that statements and processors know.
    const into = keep ?? Math.min(other, peopleId);
    const from = into === other ? peopleId : other;
    return this.mergePage(reviewId, { from, into }, caller, NEW_FORM);
  }

  @Post(':id/merge')
  async merge(
    @Param('id', PathIdPipe) reviewId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(ConfirmedMerge, sent);
    if (!reading.isValid) return goTo(`/console/reviews/${reviewId}`, 'Nothing was merged. Please choose again.');
    const { From: from, Into: into, Version, IntoVersion } = reading.value;
    try {
      const versions = { from: Version, into: IntoVersion };
      await this.mergePersons.merge({ from, into, versions, by: actorOf(caller), isShownNext: true });
    } catch (error) {
      return this.mergePage(reviewId, { from, into }, caller, this.forms.refused(NEW_FORM, error));
    }
    return this.next.after(reviewId, `Person ${from} was merged into person ${into}.`);
  }

  private async mergePage(
    reviewId: number,
    persons: { readonly from: number; readonly into: number },
    caller: Caller,
    { status, code, ...state }: ShownForm,
  ): Promise<PageAnswer> {
    const preview = await this.previewMerge.of(persons, actorOf(caller));
    const { from, into } = persons;
    const path = `/console/reviews/${reviewId}`;
    return showPage({
      title: `Merge person ${from} into person ${into}?`,
      heading: mergeInWords(preview),
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      content: (
        <MergeComparison
          preview={preview}
          state={state}
          to={`${path}/merge`}
          fields={{ From: String(from), Into: String(into) }}
          swap={`${path}/merge${queryOf({ other: into, keep: from })}`}
          back={path}
        />
      ),
    });
  }
}
