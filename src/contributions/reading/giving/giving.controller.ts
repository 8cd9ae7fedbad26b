import { Controller, Get, Param } from '@nestjs/common';
import { type Caller, CurrentCaller, ForTokens, ReadsBooks } from '../../../auth/index.js';
import { Operation, PathIdPipe } from '../../../http/index.js';
import { GiverView } from './giver-view.js';
import { Giving } from './giving.service.js';
import { GIVER_NOT_FOUND, PEOPLE } from '../../../people/index.js';

/** Shows givers to Finance and auditors. */
@Controller('Api')
@ReadsBooks()
export class GivingController {
  constructor(private readonly giving: Giving) {}

  @Get('People/:id')
  @ForTokens('read')
  @Operation({
    group: PEOPLE,
    id: 'ReadPerson',
    summary: 'Show a person, with totals of gifts by year',
    answer: GiverView,
    failures: [GIVER_NOT_FOUND],
    parts: { id: 'The PeopleId.' },
  })
  async show(@Param('id', PathIdPipe) peopleId: number, @CurrentCaller() { username }: Caller): Promise<GiverView> {
    return this.giving.of(peopleId, username);
  }
}
