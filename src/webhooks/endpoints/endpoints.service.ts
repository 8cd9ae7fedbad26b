import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { type Actor, type AuditAction, type AuditDetails, AuditTrail, nameOf } from '../../audit/index.js';
import { type Caller, UserAccounts } from '../../auth/index.js';
import { Configuration } from '../../config/index.js';
import { sqlRow, Transactions, violatesUnique } from '../../database/index.js';
import { InvalidRequestError } from '../../http/index.js';
import { isFault } from '../../values/index.js';
import { WEBHOOK_ACTIONS } from '../audit-actions.js';
import { WebhookChangedError, WebhookDisabledError, WebhookExistsError } from '../errors.js';
import { readWebhook } from '../showing/webhook-rows.js';
import type { WebhookView, WebhookWithSecret } from '../showing/webhook-view.js';
import { readEndpointUrl } from './endpoint-url.js';
import { EVENTS_OF_THE_CHURCH, type EventType } from './event-types.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { newSecret } from './webhook-secret.js';

/** How long the former secret signs, too, after a rotation. */
export const FORMER_SECRET_HOURS = 24;

/** An endpoint to create. */
export interface CreateWebhookCommand {
  readonly url: string;
  /** At least one. */
  readonly events: readonly EventType[];
  /** The user of whose gifts, bundles and deposits it is told; undefined: of all. */
  readonly username?: string | undefined;
  readonly by: Actor;
}

/** Creates, disables and enables endpoints, and rotates their secrets. */
@Injectable()
export class WebhookEndpoints {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UserAccounts,
    private readonly audit: AuditTrail,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Creates an endpoint. It gets the events of all transactions that begin after this call has ended.
   * @returns the endpoint with its secret, which is shown only here.
   * @throws InvalidRequestError, WebhookExistsError
   */
  async create({ url: sent, events, username, by }: CreateWebhookCommand): Promise<WebhookWithSecret> {
    const url = this.readUrl(sent);
    assertEvents(events, username);
    const user = username === undefined ? undefined : await this.activeUser(username);
    const secret = newSecret();
    return this.refusingSecond(async (tx) => {
      const endpoint = {
        url,
        events: [...new Set(events)],
        userId: user?.userId ?? null,
        secret,
        createdBy: nameOf(by),
      };
      const { identifiers } = await tx.getRepository(WebhookEndpoint).insert(endpoint);
      const id = Number(identifiers[0]?.['id']);
      const details = { events, ...(user !== undefined && { user: user.username }) };
      await this.record(tx, { action: WEBHOOK_ACTIONS.create, id, details, by });
      return { ...(await readWebhook(tx, id)), secret };
    });
  }

  /**
   * Disables an endpoint. No event is queued for it any more, and what waits is given up. One that its receiver has ended is no
   * trouble any more. It has no effect on one that somebody has disabled.
   * @throws WebhookNotFoundError
   */
  async disable(id: number, by: Actor): Promise<WebhookView> {
    return this.transactions.run(async (tx) => {
      const { affected } = await tx
        .getRepository(WebhookEndpoint)
        .update(
          { id, disabledBy: IsNull() },
          { disabledAt: () => 'COALESCE(disabled_at, now())', disabledBy: nameOf(by) },
        );
      if (affected === 1) await this.record(tx, { action: WEBHOOK_ACTIONS.disable, id, by });
      return readWebhook(tx, id);
    });
  }

  /** Enables an endpoint. It has no effect on an enabled one. @throws WebhookNotFoundError, WebhookExistsError */
  async enable(id: number, by: Actor): Promise<WebhookView> {
    return this.refusingSecond(async (tx) => {
      const { affected } = await tx
        .getRepository(WebhookEndpoint)
        .update({ id, disabledAt: Not(IsNull()) }, { disabledAt: null, disabledBy: null });
      if (affected === 1) await this.record(tx, { action: WEBHOOK_ACTIONS.enable, id, by });
      return readWebhook(tx, id);
    });
  }

  /**
   * Gives an endpoint a new secret. The former one signs, too, for {@link FORMER_SECRET_HOURS} hours; a second rotation within
   * that time ends it at once.
   * @param seenVersion the `secretVersion` that the caller has seen; undefined: any.
   * @returns the endpoint with its new secret, which is shown only here.
   * @throws WebhookNotFoundError, WebhookChangedError
   */
  async rotate(id: number, by: Actor, seenVersion?: number): Promise<WebhookWithSecret> {
    const secret = newSecret();
    return this.transactions.run(async (tx) => {
      const rotated = await sqlRow(
        tx,
        `UPDATE webhook_endpoint SET former_secret = secret, secret = $2, secret_version = secret_version + 1,
           former_secret_until = now() + make_interval(hours => ${FORMER_SECRET_HOURS})
         WHERE id = $1 AND ($3::integer IS NULL OR secret_version = $3) RETURNING id`,
        [id, secret, seenVersion],
      );
      const webhook = await readWebhook(tx, id);
      if (rotated === undefined) throw new WebhookChangedError(webhook);
      await this.record(tx, { action: WEBHOOK_ACTIONS.rotate, id, by });
      return { ...webhook, secret };
    });
  }

  /** Locks an enabled endpoint, so that it stays enabled until the transaction ends. @throws WebhookNotFoundError, WebhookDisabledError */
  async lockEnabled(tx: EntityManager, id: number): Promise<void> {
    await sqlRow(tx, 'SELECT FROM webhook_endpoint WHERE id = $1 FOR SHARE', [id]);
    if ((await readWebhook(tx, id)).status !== 'enabled') throw new WebhookDisabledError(id);
  }

  private readUrl(sent: string): string {
    const url = readEndpointUrl(sent, this.configuration.webhooks.allowPrivate);
    if (isFault(url)) throw InvalidRequestError.ofReadings({ Url: url });
    return url.value;
  }

  private async activeUser(username: string): Promise<Caller> {
    const user = await this.users.findActive(username);
    if (user === undefined) {
      throw InvalidRequestError.ofFields([{ field: 'User', message: 'must be the name of an active user' }]);
    }
    return user;
  }

  private async record(
    tx: EntityManager,
    { id, ...entry }: { action: AuditAction; id: number; details?: AuditDetails; by: Actor },
  ): Promise<void> {
    await this.audit.record(tx, { ...entry, subject: `webhook ${id}` });
  }

  /** Runs work that enables an endpoint. */
  private async refusingSecond<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.run(work);
    } catch (error) {
      throw violatesUnique(error, 'webhook_endpoint_once') ? new WebhookExistsError() : error;
    }
  }
}

/** @throws InvalidRequestError */
function assertEvents(events: readonly EventType[], username: string | undefined): void {
  const fault = (message: string): InvalidRequestError => InvalidRequestError.ofFields([{ field: 'Events', message }]);
  if (events.length === 0) throw fault('must name at least one event');
  const others = events.filter((event) => EVENTS_OF_THE_CHURCH.includes(event));
  if (username !== undefined && others.length > 0) {
    throw fault(`must not have ${others.join(', ')} for the webhook of a user`);
  }
}
