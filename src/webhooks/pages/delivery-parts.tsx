import type { ComponentChildren, VNode } from 'preact';
import {
  type Column,
  Facts,
  FilterForm,
  Form,
  type FormState,
  Link,
  Moment,
  Pagination,
  ProgressOfWork,
  SelectField,
  SubmitButton,
  Table,
} from '../../pages/index.js';
import type {
  WebhookDeliveryDetails,
  WebhookDeliveryList,
  WebhookDeliveryView,
} from '../showing/webhook-delivery-view.js';
import { deliveryPage, webhookPage } from './addresses.js';
import { DELIVERY_STATUS_IN_WORDS } from './webhook-words.js';

/** How often a delivery that is being sent is shown again, in seconds. */
export const REFRESH_SECONDS = 2;

interface DeliveryTableProps {
  readonly webhookId: number;
  readonly list: WebhookDeliveryList;
  readonly state: FormState;
}

/** The deliveries to a webhook, and their filter. */
export function DeliveryTable({ webhookId, list, state }: DeliveryTableProps): VNode {
  const { status, before } = state.typed;
  const to = webhookPage(webhookId);
  return (
    <>
      <FilterForm to={to} state={state}>
        <SelectField
          name="status"
          label="Status"
          options={[['', 'All'], ...Object.entries(DELIVERY_STATUS_IN_WORDS)]}
        />
        <SubmitButton>Show</SubmitButton>
      </FilterForm>
      <Table
        caption="Deliveries, the newest first"
        rows={list.deliveries}
        keyOf={({ id }) => id}
        empty={
          status === undefined || status === ''
            ? 'Nothing was sent yet. When something happens of which it is told, it is listed here.'
            : 'No delivery has this status.'
        }
        columns={COLUMNS}
      />
      <Pagination
        to={to}
        query={{ status }}
        next={list.next === null ? undefined : { before: list.next }}
        isLater={before !== undefined}
      />
    </>
  );
}

const COLUMNS: readonly Column<WebhookDeliveryView>[] = [
  { header: 'Delivery', cell: ({ id }) => <Link to={deliveryPage(id)}>{`Delivery ${id}`}</Link> },
  { header: 'Event', cell: ({ type }) => type },
  { header: 'Happened', cell: ({ occurredAt }) => <Moment value={new Date(occurredAt)} /> },
  { header: 'Status', cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
  { header: 'Tries', align: 'right', cell: ({ attempts }) => attempts },
];

function DeliveryStatus({ delivery }: { readonly delivery: WebhookDeliveryView }): VNode {
  const { status, nextTry, lastError, attempts } = delivery;
  return (
    <span>
      <strong class={status === 'failed' ? 'negative' : undefined}>{DELIVERY_STATUS_IN_WORDS[status]}</strong>
      {status === 'pending' && nextTry !== null && attempts > 0 && (
        <small class="aside">
          Next try <Moment value={new Date(nextTry)} />
        </small>
      )}
      {lastError !== null && <small class="aside">{lastError}</small>}
    </span>
  );
}

/** All that is known of a delivery. */
export function DeliveryDetails({
  delivery,
  mayReplay,
}: {
  readonly delivery: WebhookDeliveryDetails;
  readonly mayReplay: boolean;
}): VNode {
  const { id, webhookId, type, occurredAt, data, messageId, attempts, lastStatus, lastTry, nextTry } = delivery;
  const optional = (name: string, value: string | null): [string, ComponentChildren][] =>
    value === null ? [] : [[name, <Moment key={name} value={new Date(value)} />]];
  return (
    <>
      <Facts
        facts={[
          ['To', <Link key="to" to={webhookPage(webhookId)}>{`Webhook ${webhookId}`}</Link>],
          ['Event', type],
          ['Happened', <Moment key="happened" value={new Date(occurredAt)} />],
          ['Status', <DeliveryStatus key="status" delivery={delivery} />],
          ['Tries', attempts],
          ...(lastStatus === null ? [] : ([['Last answer', lastStatus]] as [string, ComponentChildren][])),
          ...optional('Last try', lastTry),
          ...optional('Next try', nextTry),
          ...optional('Sent again by somebody', delivery.replayedAt),
          ['Content', <code key="data">{JSON.stringify(data)}</code>],
          ['webhook-id', <code key="id">{messageId}</code>],
        ]}
      />
      {isBeingSent(delivery) && (
        <ProgressOfWork label="Sending" done={0} total={undefined} refreshSeconds={REFRESH_SECONDS}>
          It is sent within seconds.
        </ProgressOfWork>
      )}
      {mayReplay && !isBeingSent(delivery) && (
        <Form to={`${deliveryPage(id)}/replay`}>
          <SubmitButton hotkey="t">{delivery.status === 'pending' ? 'Try now' : 'Send again'}</SubmitButton>
        </Form>
      )}
    </>
  );
}

/** Whether its first attempt, or that after a replay, is due. */
export function isBeingSent({ status, lastTry, replayedAt }: WebhookDeliveryDetails): boolean {
  return status === 'pending' && (lastTry === null || (replayedAt !== null && replayedAt > lastTry));
}
