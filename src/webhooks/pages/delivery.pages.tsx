import { Get, Param, Post } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../auth/index.js';
import { PathIdPipe } from '../../http/index.js';
import { goTo, type PageAnswer, PagesUnder, showPage } from '../../pages/index.js';
import { ReplayWebhooks } from '../deliveries/replay.service.js';
import { WebhookDisabledError } from '../errors.js';
import { Webhooks } from '../showing/webhooks.service.js';
import { deliveryPage } from './addresses.js';
import { DeliveryDetails, isBeingSent, REFRESH_SECONDS } from './delivery-parts.js';

/** The page of one delivery. */
@PagesUnder('webhooks/deliveries')
export class DeliveryPages {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly replayWebhooks: ReplayWebhooks,
  ) {}

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return this.page(id, caller);
  }

  @Post(':id/replay')
  @Page('Finance')
  async replay(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    try {
      await this.replayWebhooks.replay([id], actorOf(caller));
    } catch (error) {
      if (!(error instanceof WebhookDisabledError)) throw error;
      return this.page(id, caller, error);
    }
    return goTo(deliveryPage(id), `Delivery ${id} is sent again.`);
  }

  /** @param refused why it was not sent again. */
  private async page(id: number, { roles }: Caller, refused?: WebhookDisabledError): Promise<PageAnswer> {
    const delivery = await this.webhooks.delivery(id);
    return showPage({
      title: `Delivery ${id}`,
      ...(isBeingSent(delivery) && { refreshSeconds: REFRESH_SECONDS }),
      ...(refused && { status: refused.kind.status, code: refused.kind.code }),
      content: (
        <>
          {refused && (
            <div class="refusal" role="alert">
              {refused.message}
            </div>
          )}
          <DeliveryDetails delivery={delivery} mayReplay={roles.has('Finance')} />
        </>
      ),
    });
  }
}
