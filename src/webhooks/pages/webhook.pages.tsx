import { Get, OnModuleInit, Param, Post, Query } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page, UserAccounts } from '../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../http/index.js';
import {
  FormReader,
  type FormState,
  goTo,
  Link,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  type RefusedForm,
  SentForm,
  showPage,
} from '../../pages/index.js';
import { ReplayWebhooks } from '../deliveries/replay.service.js';
import { TestWebhook } from '../deliveries/test-webhook.service.js';
import { WebhookEndpoints } from '../endpoints/endpoints.service.js';
import { EVENT_TYPES } from '../endpoints/event-types.js';
import { CreateWebhookForm, ListWebhookDeliveriesRequest, RotateWebhookRequest } from '../requests.js';
import type { WebhookView } from '../showing/webhook-view.js';
import { Webhooks } from '../showing/webhooks.service.js';
import { deliveryPage, webhookPage, WEBHOOKS_PAGE } from './addresses.js';
import { DeliveryTable } from './delivery-parts.js';
import { NewWebhook } from './new-webhook.js';
import { SecretShownOnce } from './secret-shown-once.js';
import { WebhookDetails } from './webhook-details.js';
import { AskToDisable, AskToRotate } from './webhook-questions.js';
import { WebhookTable } from './webhook-table.js';

/** The pages of webhooks. Auditors see them without forms. */
@PagesUnder('webhooks')
export class WebhookPages implements OnModuleInit {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly endpoints: WebhookEndpoints,
    private readonly replayWebhooks: ReplayWebhooks,
    private readonly tests: TestWebhook,
    private readonly users: UserAccounts,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Webhooks', to: WEBHOOKS_PAGE, letter: 'w', position: 83, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@CurrentCaller() { roles }: Caller): Promise<PageAnswer> {
    return showPage({
      title: 'Webhooks',
      ...(roles.has('Finance') && {
        actions: (
          <Link to={`${WEBHOOKS_PAGE}/new`} button hotkey="c">
            Add a webhook
          </Link>
        ),
      }),
      content: <WebhookTable webhooks={await this.webhooks.list()} />,
    });
  }

  @Get('new')
  @Page('Finance')
  async new(): Promise<PageAnswer> {
    return this.newPage(NEW_FORM);
  }

  @Post()
  @Page('Finance')
  async create(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(CreateWebhookForm, sent);
    const { state } = reading;
    if (!reading.isValid) return this.newPage({ ...state, status: 400, code: 'invalid_request' });
    const { Url: url, User: username, ...chosen } = reading.value;
    const events = EVENT_TYPES.filter((type) => chosen[type] === true);
    try {
      const webhook = await this.endpoints.create({ url, username, events, by: actorOf(caller) });
      return showPage({ title: `Webhook ${webhook.id} is added`, content: <SecretShownOnce webhook={webhook} /> });
    } catch (error) {
      return this.newPage(eventsAbove(this.forms.refused(state, error)));
    }
  }

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(
    @Param('id', PathIdPipe) id: number,
    @Query() query: Sent,
    @CurrentCaller() { roles }: Caller,
  ): Promise<PageAnswer> {
    const webhook = await this.webhooks.show(id);
    const reading = this.forms.read(ListWebhookDeliveriesRequest, query);
    const filter = reading.isValid ? reading.value : {};
    const list = await this.webhooks.deliveries({ webhookId: id, status: filter.status, before: filter.before });
    return showPage({
      title: `Webhook ${id}`,
      ...(!reading.isValid && { status: 400, code: 'invalid_request' }),
      content: (
        <>
          <WebhookDetails webhook={webhook} mayChange={roles.has('Finance')} />
          <h2>Deliveries</h2>
          <DeliveryTable webhookId={id} list={list} state={reading.state} />
        </>
      ),
    });
  }

  @Post(':id/test')
  @Page('Finance')
  async test(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const deliveryId = await this.tests.queue(id, actorOf(caller));
    return goTo(deliveryPage(deliveryId), `A test is sent to webhook ${id}.`);
  }

  @Post(':id/replay')
  @Page('Finance')
  async replay(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const count = await this.replayWebhooks.replayFailed(id, actorOf(caller));
    return goTo(webhookPage(id), count === 1 ? '1 delivery is sent again.' : `${count} deliveries are sent again.`);
  }

  @Get(':id/disable')
  @Page('Finance')
  async askToDisable(@Param('id', PathIdPipe) id: number): Promise<PageAnswer> {
    const webhook = await this.webhooks.show(id);
    return showPage({ title: `Disable webhook ${id}?`, content: <AskToDisable webhook={webhook} /> });
  }

  @Post(':id/disable')
  @Page('Finance')
  async disable(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    await this.endpoints.disable(id, actorOf(caller));
    return goTo(webhookPage(id), `Webhook ${id} is disabled.`);
  }

  @Post(':id/enable')
  @Page('Finance')
  async enable(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    await this.endpoints.enable(id, actorOf(caller));
    return goTo(webhookPage(id), `Webhook ${id} is enabled.`);
  }

  @Get(':id/rotate')
  @Page('Finance')
  async askToRotate(@Param('id', PathIdPipe) id: number): Promise<PageAnswer> {
    return rotationQuestion(await this.webhooks.show(id));
  }

  @Post(':id/rotate')
  @Page('Finance')
  async rotate(
    @Param('id', PathIdPipe) id: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(RotateWebhookRequest, sent);
    const { state } = reading;
    try {
      // A form that has lost what was seen rotates nothing.
      const seen = reading.isValid ? (reading.value.SecretVersion ?? 0) : 0;
      const webhook = await this.endpoints.rotate(id, actorOf(caller), seen);
      return showPage({ title: `Webhook ${id} has a new secret`, content: <SecretShownOnce webhook={webhook} /> });
    } catch (error) {
      const refused = this.forms.refused(state, error);
      return rotationQuestion(await this.webhooks.show(id), refused);
    }
  }

  private async newPage(state: FormState & Partial<RefusedForm>): Promise<PageAnswer> {
    const { status = 200, code } = state;
    return showPage({
      title: 'Add a webhook',
      status,
      ...(code !== undefined && { code }),
      content: <NewWebhook usernames={await this.users.activeNames()} state={state} />,
    });
  }
}

function rotationQuestion(webhook: WebhookView, refused?: RefusedForm): PageAnswer {
  return showPage({
    title: `A new secret for webhook ${webhook.id}?`,
    ...(refused && { status: refused.status, code: refused.code }),
    content: <AskToRotate webhook={webhook} state={refused ?? NEW_FORM} />,
  });
}

/** The events are several boxes, so their fault is above the form. */
function eventsAbove(refused: RefusedForm): RefusedForm {
  const fault = refused.faults.find(({ field }) => field === 'Events');
  if (fault === undefined) return refused;
  return {
    ...refused,
    faults: refused.faults.filter((one) => one !== fault),
    message: `The choice of events ${fault.message}.`,
  };
}
