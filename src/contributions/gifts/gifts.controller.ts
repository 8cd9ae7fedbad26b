import { Body, Controller, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, ForTokens, Roles } from '../../auth/index.js';
import { Operation } from '../../http/index.js';
import { answerOf, IdempotencyKey } from '../../idempotency/index.js';
import { AddContribution } from './add-contribution.service.js';
import { PreviewGift } from './previews/preview-gift.service.js';
import { AddContributionAnswer, addContributionAnswer } from './requests/add-contribution.answer.js';
import { ADD_CONTRIBUTION, PREVIEW_CONTRIBUTION } from './requests/add-contribution.operation.js';
import { AddContributionRequest } from './requests/add-contribution.request.js';
import { PreviewAnswer, previewAnswer } from './previews/preview.answer.js';
import { DryRunPipe, isDryRun } from './requests/dry-run.pipe.js';
import { toCommand } from './requests/request-to-command.js';

/** Records gifts. Only this file and `requests/` use the casing of the original API. */
@Controller('Api')
export class GiftsController {
  constructor(
    private readonly addContribution: AddContribution,
    private readonly previewGift: PreviewGift,
  ) {}

  @Post('AddContribution')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @ForTokens({ scope: 'preview', when: isDryRun }, 'add')
  @Operation(ADD_CONTRIBUTION)
  async add(
    @Body() request: AddContributionRequest,
    @Query(DryRunPipe) dryRun: boolean,
    @IdempotencyKey() key: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddContributionAnswer | PreviewAnswer> {
    if (dryRun) return this.preview(request, caller);
    const command = toCommand(request, caller, key);
    return addContributionAnswer(answerOf(await this.addContribution.record(command), response));
  }

  @Post('PreviewContribution')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @ForTokens('preview')
  @Operation(PREVIEW_CONTRIBUTION)
  async preview(@Body() request: AddContributionRequest, @CurrentCaller() caller: Caller): Promise<PreviewAnswer> {
    return previewAnswer(await this.previewGift.giverFor(caller, toCommand(request, caller, undefined)));
  }
}
