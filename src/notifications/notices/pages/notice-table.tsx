import type { VNode } from 'preact';
import {
  type Column,
  FilterForm,
  type FormState,
  Link,
  Moment,
  Pagination,
  SelectField,
  SubmitButton,
  Table,
} from '../../../pages/index.js';
import { Email } from './email.js';
import { faultInWords } from './fault-in-words.js';
import { About, canTryAgain, type NoticeReader, STATUS_WORDS, TryAgain } from './notice-details.js';
import type { DeliverySummary } from '../notice-view.js';
import { UNSENT } from '../notices.service.js';

const NOTICES = '/console/notices';

/** Whether notices can reach somebody. */
export interface Situation {
  /** The addresses of Finance. */
  readonly recipients: readonly string[];
  readonly hasMailServer: boolean;
}

/** Who is notified, or why nobody is. @param isBrief whether only what is wrong is said. */
export function SituationText({
  situation,
  isBrief = false,
}: {
  readonly situation: Situation;
  readonly isBrief?: boolean;
}): VNode {
  const { recipients, hasMailServer } = situation;
  return (
    <>
      {recipients.length === 0 && (
        <div class="notice">
          <p>
            <strong>No one is notified of reversals.</strong> No user with the role Finance has an e-mail address. Ask
            the person who runs Offertory on your server: “Please run <code>user set-email</code> with my user name and
            my e-mail address.” Notices that wait are then sent within a minute.
          </p>
        </div>
      )}
      {!hasMailServer && (
        <div class="notice">
          <p>
            <strong>No mail leaves the server.</strong> No mail server is set, so each notice becomes a file on the
            server, and “sent” means that the file was written. Ask the person who runs Offertory on your server:
            “Please set <code>SMTP_URL</code> to our mail server.”
          </p>
        </div>
      )}
      {!isBrief && recipients.length > 0 && (
        <p>
          When a gift is taken back, a mail goes to {recipients.join(', ')}. If the mail server does not take it now, it
          is tried again for three days. If the server refuses the address for good, the notice is given up at once.
        </p>
      )}
    </>
  );
}

/** The filter of the list. */
export function NoticeFilter({ state }: { readonly state: FormState }): VNode {
  return (
    <FilterForm to={NOTICES} state={state}>
      <SelectField
        name="status"
        label="Status"
        options={[
          ['', 'All'],
          [UNSENT, 'Not sent'],
          ['pending', 'Waits'],
          ['failed', 'Given up'],
          ['sent', 'Sent'],
        ]}
      />
      <SubmitButton>Show</SubmitButton>
    </FilterForm>
  );
}

interface NoticeTableProps {
  readonly deliveries: readonly DeliverySummary[];
  readonly reader: NoticeReader;
  readonly state: FormState;
  readonly next: number | undefined;
}

/** The notices, one row for each recipient. */
export function NoticeTable({ deliveries, reader, state, next }: NoticeTableProps): VNode {
  const status = state.typed['status'];
  const isFiltered = status !== undefined && status !== '';
  return (
    <>
      <Table
        caption="Notices, the newest first"
        rows={deliveries}
        keyOf={({ id, contributionId, reversedAt }) => id ?? `${contributionId} ${reversedAt}`}
        empty={
          isFiltered
            ? 'No notice has this status.'
            : 'No gift was taken back yet. When one is, the mail to Finance will be listed here, with what became of it.'
        }
        columns={reader.mayRetry && deliveries.some(canRetry) ? [...COLUMNS, RETRY] : COLUMNS}
      />
      <Pagination
        to={NOTICES}
        query={{ status }}
        next={next === undefined ? undefined : { before: next }}
        isLater={state.typed['before'] !== undefined}
      />
    </>
  );
}

const COLUMNS: readonly Column<DeliverySummary>[] = [
  {
    header: 'Notice',
    cell: ({ id }) => (id === null ? 'New' : <Link to={`${NOTICES}/${id}`}>{`Notice ${id}`}</Link>),
  },
  { header: 'Taken back', cell: ({ reversedAt }) => <Moment value={new Date(reversedAt)} /> },
  { header: 'About', cell: (delivery) => <About notice={delivery} /> },
  { header: 'To', cell: ({ recipient }) => (recipient === null ? 'Nobody yet' : <Email address={recipient} />) },
  { header: 'Status', cell: (delivery) => <Status notice={delivery} /> },
  { header: 'Tries', align: 'right', cell: ({ attempts }) => attempts },
];

const RETRY: Column<DeliverySummary> = {
  header: 'Try again',
  cell: (delivery) => (canRetry(delivery) ? <TryAgain id={delivery.id} /> : null),
};

function canRetry(delivery: DeliverySummary): delivery is DeliverySummary & { readonly id: number } {
  return delivery.id !== null && canTryAgain(delivery);
}

function Status({ notice }: { readonly notice: DeliverySummary }): VNode {
  const { status, sentAt, nextTry, lastError, recipient } = notice;
  return (
    <span>
      <strong class={status === 'failed' ? 'negative' : undefined}>{STATUS_WORDS[status]}</strong>
      {sentAt !== null && (
        <small class="aside">
          <Moment value={new Date(sentAt)} />
        </small>
      )}
      {status === 'pending' && nextTry !== null && (
        <small class="aside">
          Next try <Moment value={new Date(nextTry)} />
        </small>
      )}
      {recipient === null && <small class="aside">Nobody has an address to which it could go.</small>}
      {lastError !== null && <small class="aside">{faultInWords(lastError)}</small>}
    </span>
  );
}
