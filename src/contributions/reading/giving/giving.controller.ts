import { Controller, Get, Param, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, ForTokens, ReadsBooks } from '../../../auth/index.js';
import { Operation, PathIdPipe, QueryPipe } from '../../../http/index.js';
import { GIVER_NOT_FOUND, PEOPLE } from '../../../people/index.js';
import { GiverView } from './giver-view.js';
import { Giving } from './giving.service.js';
import { PeoplePage } from './people-page.js';
import { SearchGivers } from './search-givers.service.js';
import { SearchPeopleRequest, toPersonPage } from './search-people.request.js';

/** Finds and shows givers, for Finance and auditors. */
@Controller('Api')
@ReadsBooks()
export class GivingController {
  constructor(
    private readonly giving: Giving,
    private readonly searchGivers: SearchGivers,
  ) {}

  @Get('People')
  @ForTokens('read')
  @Operation({
    group: PEOPLE,
    id: 'SearchPeople',
    summary: 'Search for people, with totals of their gifts',
    description:
      'A merged person is found as the surviving one. Names and contacts that a person had before are found, too. No person is ' +
      'repeated on the next pages.',
    answer: PeoplePage,
  })
  async search(
    @Query(QueryPipe) request: SearchPeopleRequest,
    @CurrentCaller() { username }: Caller,
  ): Promise<PeoplePage> {
    return this.searchGivers.search(request.q, toPersonPage(request), username);
  }

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
