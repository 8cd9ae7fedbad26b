import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { HttpModule } from '../http/index.js';
import { JobsModule } from '../jobs/index.js';
import { PagesModule } from '../pages/index.js';
import { DeliverWorker } from './deliveries/deliver.worker.js';
import { FindDueWorker } from './deliveries/find-due.worker.js';
import { PurgeDeliveriesWorker } from './deliveries/purge-deliveries.worker.js';
import { ReplayWebhooks } from './deliveries/replay.service.js';
import { TestWebhook } from './deliveries/test-webhook.service.js';
import { WebhookMetrics } from './deliveries/webhook-metrics.js';
import { WebhookEndpoints } from './endpoints/endpoints.service.js';
import { DeliveryPages } from './pages/delivery.pages.js';
import { WebhookPages } from './pages/webhook.pages.js';
import { WebhooksListener } from './queueing/webhooks.listener.js';
import { Webhooks } from './showing/webhooks.service.js';
import { WebhookDoctorChecks } from './troubles/webhook-doctor-checks.js';
import { WebhookTasks } from './troubles/webhook-tasks.js';
import { WebhookWarnings } from './troubles/webhook-warnings.js';
import { WebhooksController } from './webhooks.controller.js';

/** Tells other programs what happens in the books: listener → a delivery for each endpoint → signed HTTP calls (ADR 59). */
@Module({
  imports: [AuthModule, HttpModule, JobsModule, PagesModule],
  controllers: [WebhooksController, WebhookPages, DeliveryPages],
  providers: [
    WebhooksListener,
    WebhookEndpoints,
    Webhooks,
    ReplayWebhooks,
    TestWebhook,
    WebhookMetrics,
    FindDueWorker,
    DeliverWorker,
    PurgeDeliveriesWorker,
    WebhookDoctorChecks,
    WebhookTasks,
    WebhookWarnings,
  ],
})
export class WebhooksModule {}
