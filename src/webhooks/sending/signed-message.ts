import { Webhook } from 'standardwebhooks';

/** A message before it is signed. */
export interface Message {
  /** A UUID. */
  readonly messageId: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** Ids only. */
  readonly data: object;
}

/** The body and the headers of a message. */
export interface SignedMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The id of a message in its header `webhook-id`. */
export function webhookIdOf(messageId: string): string {
  return `msg_${messageId}`;
}

/**
 * Signs a message as Standard Webhooks 1.0 says. Each attempt has the same body and `webhook-id`, and the time of the attempt.
 * @param secrets all that receivers may know: after a rotation, the former one as well.
 * @param now the time of the attempt.
 */
export function signMessage(message: Message, secrets: readonly string[], now: Date): SignedMessage {
  const { messageId, type, occurredAt, data } = message;
  const id = webhookIdOf(messageId);
  const body = JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Offertory',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
    },
  };
}
