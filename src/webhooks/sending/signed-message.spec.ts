import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { newSecret } from '../endpoints/webhook-secret.js';
import { signMessage } from './signed-message.js';

const MESSAGE = {
  messageId: '7f0c1a52-0f6c-4f0e-9a44-1d2f3b4c5d6e',
  type: 'bundle.closed',
  occurredAt: new Date('2026-07-27T03:05:09.123Z'),
  data: { bundleId: 7 },
};
const NOW = new Date('2026-07-27T04:00:00.999Z');

/** The signature that Standard Webhooks 1.0 describes, computed without the library. */
function signature(secret: string, content: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

describe('a signed message', () => {
  it('has the body and the headers of Standard Webhooks', () => {
    const secret = newSecret();
    const { body, headers } = signMessage(MESSAGE, [secret], NOW);
    expect(body).toBe('{"type":"bundle.closed","timestamp":"2026-07-27T03:05:09.123Z","data":{"bundleId":7}}');
    const id = 'msg_7f0c1a52-0f6c-4f0e-9a44-1d2f3b4c5d6e';
    expect(headers).toMatchObject({
      'webhook-id': id,
      'webhook-timestamp': '1785124800',
      'webhook-signature': signature(secret, `${id}.1785124800.${body}`),
    });
  });

  it('has a signature for each secret', () => {
    const secrets = [newSecret(), newSecret()];
    const { body, headers } = signMessage(MESSAGE, secrets, NOW);
    const content = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`;
    expect(headers['webhook-signature']).toBe(secrets.map((secret) => signature(secret, content)).join(' '));
  });
});

it('a secret is 32 random bytes in base64', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
});
