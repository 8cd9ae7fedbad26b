import { Controller, Get, Param } from '@nestjs/common';
import { Roles } from '../../../auth/index.js';
import { Operation, PathIdPipe } from '../../../http/index.js';
import { GiverView } from './giver-view.js';
import { Giving } from './giving.service.js';

/** What Finance sees of givers. */
@Controller('Api')
@Roles('Finance')
export class GivingController {
  constructor(private readonly giving: Giving) {}

  @Get('People/:id')
  @Operation({
    group: 'Finance',
    id: 'ReadPerson',
    summary: 'Show a person, with what it gave in each year',
    answer: GiverView,
    failures: ['giver_not_found'],
    parts: { id: 'The PeopleId.' },
  })
  async show(@Param('id', PathIdPipe) peopleId: number): Promise<GiverView> {
    return this.giving.of(peopleId);
  }
}
