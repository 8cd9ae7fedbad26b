import type { VNode } from 'preact';
import { Confirmation, type FormState } from '../../pages/index.js';
import type { WebhookView } from '../showing/webhook-view.js';
import { webhookPage } from './addresses.js';

/** Asks before a webhook is disabled. */
export function AskToDisable({ webhook }: { readonly webhook: WebhookView }): VNode {
  const { id, url, pending } = webhook;
  return (
    <Confirmation to={`${webhookPage(id)}/disable`} button={`Disable webhook ${id}`} back={webhookPage(id)}>
      <p>
        {url} receives no more messages.{' '}
        {pending === 0 ? 'Nothing waits for it.' : `What waits for it (${pending}) is given up.`} You can enable it
        again. What happens until then is not sent.
      </p>
    </Confirmation>
  );
}

/** Asks before the secret is rotated. */
export function AskToRotate({
  webhook,
  state,
}: {
  readonly webhook: WebhookView;
  /** Of the answer, if it was refused. */
  readonly state: FormState;
}): VNode {
  const { id, secretVersion, formerSecretUntil } = webhook;
  return (
    <Confirmation
      to={`${webhookPage(id)}/rotate`}
      fields={{ SecretVersion: String(secretVersion) }}
      button={`Give webhook ${id} a new secret`}
      back={webhookPage(id)}
      state={state}
    >
      <p>
        The next page shows the new secret, once. The present secret works, too, for a day: within that time, the
        operator of the other program has to change to the new one.
      </p>
      {formerSecretUntil !== null && (
        <p class="notice">
          <strong>The secret was changed within the last day.</strong> The one before then ends at once.
        </p>
      )}
    </Confirmation>
  );
}
