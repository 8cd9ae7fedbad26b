import type { ComponentChildren, VNode } from 'preact';
import { Facts, Form, Link, Moment, SubmitButton } from '../../pages/index.js';
import type { WebhookView } from '../showing/webhook-view.js';
import { webhookPage } from './addresses.js';
import { Status } from './webhook-table.js';

interface WebhookDetailsProps {
  readonly webhook: WebhookView;
  readonly mayChange: boolean;
}

/** A webhook and, for Finance, what can be done with it. */
export function WebhookDetails({ webhook, mayChange }: WebhookDetailsProps): VNode {
  const { url, user, events, pending, failed, createdAt, createdBy, disabledAt, disabledBy, formerSecretUntil } =
    webhook;
  const optional = (name: string, value: string | null, by?: string | null): [string, ComponentChildren][] =>
    value === null
      ? []
      : [
          [
            name,
            <>
              <Moment value={new Date(value)} />
              {by !== undefined && ` by ${by ?? 'its receiver'}`}
            </>,
          ],
        ];
  return (
    <>
      <Facts
        facts={[
          ['Address', <code key="url">{url}</code>],
          ['Status', <Status key="status" webhook={webhook} />],
          ['Whose events', user ?? 'All of the church'],
          ['Events', events.join(', ')],
          ['Waits', pending],
          ['Given up', failed],
          ...optional('Added', createdAt, createdBy),
          ...optional('Former secret works until', formerSecretUntil),
          ...optional('Disabled', disabledAt, disabledBy),
        ]}
      />
      {webhook.status === 'gone' && (
        <p class="notice">
          The receiver has answered that it wants no more messages. Ask its operator. If that was a mistake, enable the
          webhook; otherwise disable it, so that the home page does not remind you.
        </p>
      )}
      {mayChange && <Actions webhook={webhook} />}
    </>
  );
}

function Actions({ webhook }: { readonly webhook: WebhookView }): VNode {
  const { id, status, failed } = webhook;
  const page = webhookPage(id);
  return (
    <div class="buttons">
      {status === 'enabled' && (
        <Form to={`${page}/test`}>
          <SubmitButton hotkey="t">Send a test</SubmitButton>
        </Form>
      )}
      {status === 'enabled' && failed > 0 && (
        <Form to={`${page}/replay`}>
          <SubmitButton hotkey="r">{`Send again what was given up (${failed})`}</SubmitButton>
        </Form>
      )}
      {status !== 'enabled' && (
        <Form to={`${page}/enable`}>
          <SubmitButton hotkey="e">Enable</SubmitButton>
        </Form>
      )}
      <Link to={`${page}/rotate`} button hotkey="s">
        New secret…
      </Link>
      {status !== 'disabled' && (
        <Link to={`${page}/disable`} button hotkey="d">
          Disable…
        </Link>
      )}
    </div>
  );
}
