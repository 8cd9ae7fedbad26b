import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, ForTokens, NotForTokens, ReadsBooks, Roles } from '../../auth/index.js';
import { Operation, PathIdPipe, QueryPipe } from '../../http/index.js';
import { NOTICES } from '../api-group.js';
import { DELIVERY_NOT_FOUND, DELIVERY_SENT } from '../errors.js';
import { ListNoticesRequest } from './list-notices.request.js';
import { DeliveryDetails, DeliveryList } from './notice-view.js';
import { Notices } from './notices.service.js';

const DELIVERY = { id: 'The id of the delivery.' };

/** The HTTP routes of notices, for Finance. */
@Controller('Api')
@Roles('Finance')
export class NoticesController {
  constructor(private readonly notices: Notices) {}

  @Get('Notices')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: NOTICES,
    id: 'ListNotices',
    summary: 'List the notices of reversals, one entry for each recipient',
    answer: DeliveryList,
  })
  async list(@Query(QueryPipe) filter: ListNoticesRequest): Promise<DeliveryList> {
    return this.notices.list(filter);
  }

  @Get('Notices/:id')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: NOTICES,
    id: 'ReadNotice',
    summary: 'Show the delivery of a notice',
    answer: DeliveryDetails,
    failures: [DELIVERY_NOT_FOUND],
    parts: DELIVERY,
  })
  async show(@Param('id', PathIdPipe) deliveryId: number): Promise<DeliveryDetails> {
    return this.notices.show(deliveryId);
  }

  @Post('Notices/:id/retry')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: NOTICES,
    id: 'RetryNotice',
    summary: 'Send a notice again',
    description:
      'The mail is sent within a minute, once, however often this is called. A delivery that was given up gets another three ' +
      'days of tries. Recipients who were added since get the notice, too.',
    answer: DeliveryDetails,
    failures: [DELIVERY_NOT_FOUND, DELIVERY_SENT],
    parts: DELIVERY,
  })
  async retry(@Param('id', PathIdPipe) deliveryId: number, @CurrentCaller() caller: Caller): Promise<DeliveryDetails> {
    return this.notices.retryOne(deliveryId, actorOf(caller));
  }
}
