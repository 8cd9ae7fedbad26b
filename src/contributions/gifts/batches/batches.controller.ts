import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, ForTokens, Roles } from '../../../auth/index.js';
import { LimitBody, Operation, requestIdOf } from '../../../http/index.js';
import { GIFTS } from '../../ledger/index.js';
import { AddContributionsAnswer, addContributionsAnswer } from './add-contributions.answer.js';
import { AddContributionsRequest, MAX_GIFTS } from './add-contributions.request.js';
import { AddContributions } from './add-contributions.service.js';
import { ReadGifts } from './read-gifts.js';

/** Records many gifts in one call. */
@Controller('Api')
export class BatchesController {
  constructor(
    private readonly readGifts: ReadGifts,
    private readonly addContributions: AddContributions,
  ) {}

  @Post('AddContributions')
  @HttpCode(200)
  @Roles('Developer', 'APIOnly', 'APIWrite')
  @ForTokens('add')
  // Body, list, gift: names of fields must not be repeated in any of them.
  @LimitBody({ maxKilobytes: 1024, checkedLevels: 3 })
  @Operation({
    group: GIFTS,
    id: 'AddContributions',
    summary: 'Record many gifts',
    description:
      `Records 1 to ${MAX_GIFTS} gifts in the order given, as if each had been sent to AddContribution. Each is recorded or ` +
      'refused by itself, and has its own result. To repeat the call is safe: a gift that is recorded already gets its first answer. ' +
      'If the whole call fails, none of its gifts is recorded.',
    answer: AddContributionsAnswer,
  })
  async add(
    @Body() request: AddContributionsRequest,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AddContributionsAnswer> {
    const gifts = this.readGifts.read(request.Gifts, caller);
    return addContributionsAnswer(await this.addContributions.record(gifts), requestIdOf(response));
  }
}
