import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, ForTokens, NotForTokens, ReadsBooks, Roles } from '../auth/index.js';
import { Operation, PathIdPipe, QueryPipe } from '../http/index.js';
import { WEBHOOKS } from './api-group.js';
import { ReplayWebhooks } from './deliveries/replay.service.js';
import { TestWebhook } from './deliveries/test-webhook.service.js';
import { FORMER_SECRET_HOURS, WebhookEndpoints } from './endpoints/endpoints.service.js';
import {
  WEBHOOK_CHANGED,
  WEBHOOK_DELIVERY_NOT_FOUND,
  WEBHOOK_DISABLED,
  WEBHOOK_EXISTS,
  WEBHOOK_NOT_FOUND,
} from './errors.js';
import { CreateWebhookRequest, ListWebhookDeliveriesRequest, RotateWebhookRequest } from './requests.js';
import { ReplayedWebhooks, WebhookDeliveryDetails, WebhookDeliveryList } from './showing/webhook-delivery-view.js';
import { WebhookList, WebhookView, WebhookWithSecret } from './showing/webhook-view.js';
import { Webhooks } from './showing/webhooks.service.js';

const WEBHOOK = { id: 'The id of the webhook.' };
const DELIVERY = { id: 'The id of the delivery.' };

/** The HTTP routes of webhooks, for Finance. Auditors may read. */
@Controller('Api')
@Roles('Finance')
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly endpoints: WebhookEndpoints,
    private readonly replay: ReplayWebhooks,
    private readonly tests: TestWebhook,
  ) {}

  @Get('Webhooks')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({ group: WEBHOOKS, id: 'ListWebhooks', summary: 'List all webhooks', answer: WebhookList })
  async list(): Promise<WebhookList> {
    return { webhooks: await this.webhooks.list() };
  }

  @Get('Webhooks/:id')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: WEBHOOKS,
    id: 'ReadWebhook',
    summary: 'Show a webhook',
    answer: WebhookView,
    failures: [WEBHOOK_NOT_FOUND],
    parts: WEBHOOK,
  })
  async show(@Param('id', PathIdPipe) id: number): Promise<WebhookView> {
    return this.webhooks.show(id);
  }

  @Post('Webhooks')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: WEBHOOKS,
    id: 'CreateWebhook',
    summary: 'Create a webhook',
    description: 'It receives all events from the answer on. The secret is in no other answer.',
    answer: WebhookWithSecret,
    failures: [WEBHOOK_EXISTS],
  })
  async create(
    @Body() { Url: url, Events: events, User: username }: CreateWebhookRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<WebhookWithSecret> {
    return this.endpoints.create({ url, events, username, by: actorOf(caller) });
  }

  @Post('Webhooks/:id/disable')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: WEBHOOKS,
    id: 'DisableWebhook',
    summary: 'Disable a webhook',
    description: 'It receives no more events, and waiting messages are given up.',
    answer: WebhookView,
    failures: [WEBHOOK_NOT_FOUND],
    parts: WEBHOOK,
  })
  async disable(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<WebhookView> {
    return this.endpoints.disable(id, actorOf(caller));
  }

  @Post('Webhooks/:id/enable')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: WEBHOOKS,
    id: 'EnableWebhook',
    summary: 'Enable a webhook',
    description: 'Events that happened while it was disabled are not sent.',
    answer: WebhookView,
    failures: [WEBHOOK_NOT_FOUND, WEBHOOK_EXISTS],
    parts: WEBHOOK,
  })
  async enable(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<WebhookView> {
    return this.endpoints.enable(id, actorOf(caller));
  }

  @Post('Webhooks/:id/rotate')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: WEBHOOKS,
    id: 'RotateWebhook',
    summary: 'Give a webhook a new secret',
    description: `The former secret signs, too, for ${FORMER_SECRET_HOURS} hours, or until the next rotation.`,
    answer: WebhookWithSecret,
    failures: [WEBHOOK_NOT_FOUND, WEBHOOK_CHANGED],
    parts: WEBHOOK,
  })
  async rotate(
    @Param('id', PathIdPipe) id: number,
    @Body() { SecretVersion: seenVersion }: RotateWebhookRequest,
    @CurrentCaller() caller: Caller,
  ): Promise<WebhookWithSecret> {
    return this.endpoints.rotate(id, actorOf(caller), seenVersion);
  }

  @Post('Webhooks/:id/test')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: WEBHOOKS,
    id: 'TestWebhook',
    summary: 'Send a test to a webhook',
    description: 'The message has the type webhook.test and one attempt, within seconds. The answer is its delivery.',
    answer: WebhookDeliveryDetails,
    failures: [WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED],
    parts: WEBHOOK,
  })
  async test(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<WebhookDeliveryDetails> {
    return this.webhooks.delivery(await this.tests.queue(id, actorOf(caller)));
  }

  @Post('Webhooks/:id/replay')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: WEBHOOKS,
    id: 'ReplayWebhook',
    summary: 'Send everything again that was given up for a webhook',
    answer: ReplayedWebhooks,
    failures: [WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED],
    parts: WEBHOOK,
  })
  async replayFailed(@Param('id', PathIdPipe) id: number, @CurrentCaller() caller: Caller): Promise<ReplayedWebhooks> {
    return { toBeSent: await this.replay.replayFailed(id, actorOf(caller)) };
  }

  @Get('WebhookDeliveries')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: WEBHOOKS,
    id: 'ListWebhookDeliveries',
    summary: 'List deliveries of webhooks',
    answer: WebhookDeliveryList,
  })
  async deliveries(
    @Query(QueryPipe) { webhook: webhookId, ...filter }: ListWebhookDeliveriesRequest,
  ): Promise<WebhookDeliveryList> {
    return this.webhooks.deliveries({ webhookId, ...filter });
  }

  @Get('WebhookDeliveries/:id')
  @ReadsBooks()
  @ForTokens('read')
  @Operation({
    group: WEBHOOKS,
    id: 'ReadWebhookDelivery',
    summary: 'Show a delivery of a webhook',
    answer: WebhookDeliveryDetails,
    failures: [WEBHOOK_DELIVERY_NOT_FOUND],
    parts: DELIVERY,
  })
  async delivery(@Param('id', PathIdPipe) id: number): Promise<WebhookDeliveryDetails> {
    return this.webhooks.delivery(id);
  }

  @Post('WebhookDeliveries/:id/replay')
  @HttpCode(200)
  @NotForTokens()
  @Operation({
    group: WEBHOOKS,
    id: 'ReplayWebhookDelivery',
    summary: 'Send a delivery of a webhook again',
    description: 'It gets ten more attempts, with the same `webhook-id`, also if it was delivered.',
    answer: WebhookDeliveryDetails,
    failures: [WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DISABLED],
    parts: DELIVERY,
  })
  async replayOne(
    @Param('id', PathIdPipe) id: number,
    @CurrentCaller() caller: Caller,
  ): Promise<WebhookDeliveryDetails> {
    await this.replay.replay([id], actorOf(caller));
    return this.webhooks.delivery(id);
  }
}
