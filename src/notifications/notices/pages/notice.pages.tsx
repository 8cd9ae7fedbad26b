import { Get, OnModuleInit, Param, Post, Query } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../auth/index.js';
import { Configuration } from '../../../config/index.js';
import { PathIdPipe, type Query as Sent } from '../../../http/index.js';
import { FormReader, goTo, Navigation, type PageAnswer, PagesUnder, showPage } from '../../../pages/index.js';
import { DeliverySentError } from '../../errors.js';
import { FinanceRecipients } from '../../finance-recipients.js';
import { ListNoticesRequest } from '../list-notices.request.js';
import { NoticeDetails, type NoticeReader } from './notice-details.js';
import { NoticeFilter, NoticeTable, type Situation, SituationText } from './notice-table.js';
import { Notices } from '../notices.service.js';

const NOTICES = '/console/notices';

/** The notices of reversals: to whom they were sent, and why not. */
@PagesUnder('notices')
export class NoticePages implements OnModuleInit {
  constructor(
    private readonly notices: Notices,
    private readonly recipients: FinanceRecipients,
    private readonly configuration: Configuration,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Notices', to: NOTICES, letter: 'n', position: 80, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@Query() query: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(ListNoticesRequest, query);
    const { state } = reading;
    if (!reading.isValid)
      return showPage({
        title: 'Notices',
        status: 400,
        code: 'invalid_request',
        content: <NoticeFilter state={state} />,
      });
    const { deliveries, next } = await this.notices.list(reading.value);
    return showPage({
      title: 'Notices',
      content: (
        <>
          <SituationText situation={await this.situation()} />
          <NoticeFilter state={state} />
          <NoticeTable deliveries={deliveries} reader={readerOf(caller)} state={state} next={next ?? undefined} />
        </>
      ),
    });
  }

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(@Param('id', PathIdPipe) deliveryId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return this.page(deliveryId, caller);
  }

  @Post(':id/retry')
  @Page('Finance')
  async retry(@Param('id', PathIdPipe) deliveryId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    try {
      await this.notices.retryOne(deliveryId, actorOf(caller));
    } catch (error) {
      if (!(error instanceof DeliverySentError)) throw error;
      return this.page(deliveryId, caller, error);
    }
    return goTo(
      `${NOTICES}/${deliveryId}`,
      `Another try of notice ${deliveryId} was asked for. Reload the page in a minute to see the result.`,
    );
  }

  /** @param refused why the notice was not tried again. */
  private async page(deliveryId: number, caller: Caller, refused?: DeliverySentError): Promise<PageAnswer> {
    const delivery = await this.notices.show(deliveryId);
    return showPage({
      title: `Notice ${deliveryId}`,
      ...(refused && { status: refused.kind.status, code: refused.kind.code }),
      content: (
        <>
          {refused && (
            <div class="refusal" role="alert">
              Somebody was faster: this notice is already sent. Nothing was done.
            </div>
          )}
          <SituationText situation={await this.situation()} isBrief />
          <NoticeDetails
            delivery={delivery}
            reader={readerOf(caller)}
            askedAgainBy={delivery.askedAgainAt === null ? undefined : await this.notices.lastRetriedBy(deliveryId)}
          />
        </>
      ),
    });
  }

  private async situation(): Promise<Situation> {
    const recipients = await this.recipients.configured();
    return { recipients, hasMailServer: this.configuration.mail.smtpUrl !== undefined };
  }
}

function readerOf({ roles }: Caller): NoticeReader {
  return { mayRetry: roles.has('Finance') };
}
