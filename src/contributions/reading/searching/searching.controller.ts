import { Controller, Get, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, ForTokens, ReadsBooks } from '../../../auth/index.js';
import { Operation, QueryPipe } from '../../../http/index.js';
import { FINANCE } from '../../ledger/index.js';
import { GiftPage } from './found-gift-view.js';
import { SearchGiftsRequest, toGiftSearch } from './search-gifts.request.js';
import { SearchGifts } from './search-gifts.service.js';

/** Searches for gifts. */
@Controller('Api')
@ReadsBooks()
export class SearchingController {
  constructor(private readonly searchGifts: SearchGifts) {}

  @Get('Gifts')
  @ForTokens('read')
  @Operation({
    group: FINANCE,
    id: 'SearchGifts',
    summary: 'Search for gifts',
    description:
      'Finds gifts that match `q` and all filters. The latest recorded gift comes first. Reversals and moves ' +
      'to another fund are not listed by themselves: `left` and `fundId` of their gift tell of them. No gift is repeated or ' +
      'missed on the next pages while gifts are added; the new ones are on a new first page.',
    answer: GiftPage,
  })
  async search(
    @Query(QueryPipe) request: SearchGiftsRequest,
    @CurrentCaller() { username }: Caller,
  ): Promise<GiftPage> {
    return this.searchGifts.search(toGiftSearch(request), username);
  }
}
