import type { VNode } from 'preact';
import { Link } from '../../pages/index.js';
import type { WebhookWithSecret } from '../showing/webhook-view.js';
import { webhookPage } from './addresses.js';

/** The secret of a new webhook, or its new secret. */
export function SecretShownOnce({ webhook }: { readonly webhook: WebhookWithSecret }): VNode {
  const { id, secret, formerSecretUntil } = webhook;
  return (
    <section class="confirmation">
      <p>
        This is the secret of webhook {id}. Give it to the operator of the other program, who needs it to verify what is
        sent. <strong>It is not shown again.</strong> If it is lost, give the webhook a new one.
      </p>
      <p>
        <code>{secret}</code>
      </p>
      {formerSecretUntil !== null && (
        <p>
          The former secret works, too, for a day. If somebody else may know it, give the webhook a new secret once
          more: then the former one ends at once.
        </p>
      )}
      <div class="buttons">
        <Link to={webhookPage(id)} button hotkey="c">
          Continue
        </Link>
      </div>
    </section>
  );
}
