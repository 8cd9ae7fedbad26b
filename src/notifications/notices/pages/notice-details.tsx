import type { ComponentChildren, VNode } from 'preact';
import { displayAmount } from '../../../values/index.js';
import { Amount, Facts, Form, Link, Moment, SubmitButton } from '../../../pages/index.js';
import type { DeliveryStatus } from '../../deliveries/delivery.entity.js';
import { Email } from './email.js';
import { faultInWords } from './fault-in-words.js';
import type { DeliveryDetails, DeliverySummary } from '../notice-view.js';

/** What the person who reads the page may do. */
export interface NoticeReader {
  readonly mayRetry: boolean;
}

export const STATUS_WORDS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Waiting',
  sent: 'Sent',
  failed: 'Given up',
};

/** Whether another try can be asked for: not while one is made within a minute anyway. */
export function canTryAgain({ status, lastError }: Pick<DeliverySummary, 'status' | 'lastError'>): boolean {
  return status === 'failed' || (status === 'pending' && lastError !== null);
}

/** All that is known of the delivery of a notice. */
export function NoticeDetails({
  delivery,
  reader,
  askedAgainBy,
}: {
  readonly delivery: DeliveryDetails;
  readonly reader: NoticeReader;
  /** Who pressed “Try again” last. */
  readonly askedAgainBy: string | undefined;
}): VNode {
  const { id, recipient, status, attempts, createdAt, askedAgainAt, sentAt, nextTry, messageId } = delivery;
  const optional = (name: string, value: string | null): [string, ComponentChildren][] =>
    value === null ? [] : [[name, <Moment key={name} value={new Date(value)} />]];
  return (
    <>
      <Facts
        facts={[
          ['To', <Email key="to" address={recipient} />],
          ['About', <About key="about" notice={delivery} />],
          ['Status', STATUS_WORDS[status]],
          ['Tries', attempts],
          ['Written', <Moment key="written" value={new Date(createdAt)} />],
          ...optional('Sent', sentAt),
          ...optional('Next try', nextTry),
          ...(askedAgainAt === null
            ? []
            : [['New try asked for', <AskedAgain key="again" at={askedAgainAt} by={askedAgainBy} />] as const]),
          ['Message-ID of the mail', <code key="id">{messageId}</code>],
        ]}
      />
      {status !== 'sent' && <Why notice={delivery} />}
      {canTryAgain(delivery) && reader.mayRetry && <TryAgain id={id} isOnlyButton />}
    </>
  );
}

function AskedAgain({ at, by }: { readonly at: string; readonly by: string | undefined }): VNode {
  return (
    <span>
      <Moment value={new Date(at)} />
      {by !== undefined && <small class="aside">by {by}</small>}
    </span>
  );
}

type Reversal = Pick<DeliverySummary, 'contributionId' | 'amount' | 'currency' | 'reason'>;

/** What was taken back, and a link to the gift. */
export function About({ notice }: { readonly notice: Reversal }): VNode {
  const { contributionId, amount, currency, reason } = notice;
  return (
    <span>
      <Amount value={displayAmount(amount, currency)} currency={currency} /> of{' '}
      <Link to={`/console/gifts/${contributionId}`}>gift {contributionId}</Link>
      {reason !== null && <small class="aside">{reason}</small>}
    </span>
  );
}

/** Why it is not sent, in words, with the words of the mail server for whoever runs this service. */
function Why({ notice }: { readonly notice: DeliveryDetails }): VNode {
  const { status, lastError, attempts, nextTry } = notice;
  const isGivenUp = status === 'failed';
  return (
    <div class="why">
      {lastError === null ? (
        <p>{attempts === 0 ? 'It is sent within a minute.' : 'It is tried again within a minute.'}</p>
      ) : (
        <>
          <p>{faultInWords(lastError)}</p>
          <details>
            <summary>Words of the mail server</summary>
            <p>
              <code>{lastError}</code>
            </p>
          </details>
        </>
      )}
      {isGivenUp && <p>It was given up and is not tried by itself any more.</p>}
      {!isGivenUp && nextTry !== null && lastError !== null && <p>It is tried again by itself.</p>}
    </div>
  );
}

/** @param isOnlyButton whether it is the button of the page, and not one of many. */
export function TryAgain({
  id,
  isOnlyButton = false,
}: {
  readonly id: number;
  readonly isOnlyButton?: boolean;
}): VNode {
  return (
    <Form to={`/console/notices/${id}/retry`}>
      {isOnlyButton ? (
        <SubmitButton hotkey="t">Try again</SubmitButton>
      ) : (
        <SubmitButton kind="quiet">
          Try again<span class="unseen"> notice {id}</span>
        </SubmitButton>
      )}
    </Form>
  );
}
