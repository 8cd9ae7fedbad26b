import type { Defence } from './defence.js';

/** Where webhooks go, and what they tell. */
export const WEBHOOKS: readonly Defence[] = [
  {
    name: 'A webhook connects to no host name with a private address',
    file: 'src/webhooks/sending/guarded-lookup.ts',
    from: 'first === undefined || !addresses.every(({ address }) => isPublicAddress(address))',
    to: 'first === undefined',
    test: {
      file: 'test/e2e/webhook-addresses.spec.ts',
      title: 'without WEBHOOK_ALLOW_PRIVATE nothing connects to a host name that resolves to 127.0.0.1',
    },
    short: true,
  },
  {
    name: 'A webhook connects to no private address in its URL',
    file: 'src/webhooks/sending/post-message.ts',
    from: '!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)',
    to: '!allowPrivate && isIP(host) !== 0 && host === ""',
    test: {
      file: 'test/e2e/webhook-addresses.spec.ts',
      title: 'without WEBHOOK_ALLOW_PRIVATE nothing connects to 127.0.0.1 in hexadecimal',
    },
  },
  {
    name: 'A webhook of a processor is told only of what is the processor’s',
    file: 'src/webhooks/queueing/queue-event.ts',
    from: 'u.active AND u.username = $3',
    to: 'u.active AND ($3::text IS NULL OR true)',
    test: {
      file: 'test/e2e/webhooks.spec.ts',
      title: 'a webhook of a processor is told only of its own gifts',
    },
  },
  {
    name: 'An answer to a webhook is not read without end',
    file: 'src/webhooks/sending/post-message.ts',
    from: 'if (read > MOST_BYTES_READ) response.destroy();',
    to: '',
    test: {
      file: 'test/e2e/webhook-deliveries.spec.ts',
      title: 'a delivery is made although the receiver sends a body without end',
    },
  },
];
