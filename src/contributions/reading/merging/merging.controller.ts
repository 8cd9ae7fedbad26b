import { Controller, Get, Param, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, ForTokens, ReadsBooks } from '../../../auth/index.js';
import { Operation, PathIdPipe, QueryPipe } from '../../../http/index.js';
import { GIVER_NOT_FOUND, PEOPLE, PERSON_MERGED, PERSON_NOT_FOUND } from '../../../people/index.js';
import { MergePreview } from './merge-preview.js';
import { PreviewMergeRequest } from './preview-merge.request.js';
import { PreviewMerge } from './preview-merge.service.js';

/** Shows to Finance what a merge moves. */
@Controller('Api')
export class MergingController {
  constructor(private readonly previewMerge: PreviewMerge) {}

  @Get('People/:id/merge')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: PEOPLE,
    id: 'PreviewMerge',
    summary: 'Show what a merge of a person into another one would move',
    answer: MergePreview,
    failures: [GIVER_NOT_FOUND, PERSON_NOT_FOUND, PERSON_MERGED],
    parts: { id: 'The PeopleId of the person to merge.' },
  })
  async preview(
    @Param('id', PathIdPipe) from: number,
    @Query(QueryPipe) { into }: PreviewMergeRequest,
    @CurrentCaller() { username: by }: Caller,
  ): Promise<MergePreview> {
    return this.previewMerge.of({ from, into }, by);
  }
}
