import type supertest from 'supertest';
import { postAs } from '../finance/finance-calls.js';
import type { Login, TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** A webhook in an answer. */
export interface WebhookAnswer {
  readonly id: number;
  readonly url: string;
  readonly status: string;
  readonly pending: number;
  readonly failed: number;
  readonly secretVersion: number;
  readonly formerSecretUntil: string | null;
  readonly secret: string;
}

/** A delivery in an answer. */
export interface DeliveryAnswer {
  readonly id: number;
  readonly webhookId: number;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
  readonly nextTry: string | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly messageId: string;
}

/** Calls of Finance about webhooks. */
export class WebhookCalls {
  constructor(
    readonly app: TestApp,
    readonly finance: Login,
  ) {}

  post(path: string, body?: object): supertest.Test {
    return postAs(this.app, this.finance, path, body);
  }

  async create(url: string, events: readonly string[], fields: object = {}): Promise<WebhookAnswer> {
    const answer = await this.post('Webhooks', { Url: url, Events: events, ...fields }).expect(200);
    return answer.body as WebhookAnswer;
  }

  async show(id: number): Promise<WebhookAnswer> {
    return (await this.app.get(`Webhooks/${id}`, this.finance).expect(200)).body as WebhookAnswer;
  }

  async delivery(id: number): Promise<DeliveryAnswer> {
    return (await this.app.get(`WebhookDeliveries/${id}`, this.finance).expect(200)).body as DeliveryAnswer;
  }

  /** The deliveries of a webhook, the newest first. */
  async deliveries(webhook: number): Promise<readonly DeliveryAnswer[]> {
    const answer = await this.app.get(`WebhookDeliveries?webhook=${webhook}`, this.finance).expect(200);
    return (answer.body as { deliveries: readonly DeliveryAnswer[] }).deliveries;
  }

  /** The deliveries of a webhook, when none waits any more. */
  async settled(webhook: number): Promise<readonly DeliveryAnswer[]> {
    await until(async () => (await this.show(webhook)).pending === 0);
    return this.deliveries(webhook);
  }

  /** Sends a test, and waits for its end. */
  async test(webhook: number): Promise<DeliveryAnswer> {
    const { id } = (await this.post(`Webhooks/${webhook}/test`).expect(200)).body as DeliveryAnswer;
    await until(async () => (await this.delivery(id)).status !== 'pending');
    return this.delivery(id);
  }
}
