import type { VNode } from 'preact';
import { Link, Table } from '../../pages/index.js';
import type { WebhookView } from '../showing/webhook-view.js';
import { webhookPage } from './addresses.js';
import { STATUS_IN_WORDS } from './webhook-words.js';

/** All webhooks. */
export function WebhookTable({ webhooks }: { readonly webhooks: readonly WebhookView[] }): VNode {
  return (
    <>
      <p>
        A webhook tells another program when something happens in the books. It sends ids only: no names, no amounts and
        no contacts.
      </p>
      <Table
        caption="Webhooks"
        rows={webhooks}
        keyOf={({ id }) => id}
        empty="There is no webhook yet. Add one when another program, such as that of a processor, asks for its address to be told."
        columns={[
          { header: 'Webhook', cell: ({ id }) => <Link to={webhookPage(id)}>{`Webhook ${id}`}</Link> },
          { header: 'Address', cell: ({ url }) => <code>{url}</code> },
          { header: 'Whose', cell: ({ user }) => user ?? 'All' },
          { header: 'Status', cell: (webhook) => <Status webhook={webhook} /> },
          { header: 'Waits', align: 'right', cell: ({ pending }) => pending },
          { header: 'Given up', align: 'right', cell: ({ failed }) => failed },
        ]}
      />
    </>
  );
}

/** Whether something is sent to it. */
export function Status({ webhook }: { readonly webhook: WebhookView }): VNode {
  const { status, failed } = webhook;
  const isTrouble = status === 'gone' || (status === 'enabled' && failed > 0);
  return <strong class={isTrouble ? 'negative' : undefined}>{STATUS_IN_WORDS[status]}</strong>;
}
