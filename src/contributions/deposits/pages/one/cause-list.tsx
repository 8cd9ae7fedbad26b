import type { VNode } from 'preact';
import { Form, HiddenField, Link, SubmitButton } from '../../../../pages/index.js';
import type { LikelyCause } from '../../showing/causes/likely-cause.js';
import type { DepositDetails } from '../../showing/deposit-details.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { counted } from '../shared/each-by-itself.js';
import { ITEM, type KindOfItem } from './ticked-items.js';

/** The most links of a cause. */
const LINKS = 10;

interface CausesProps {
  readonly deposit: DepositDetails;
  readonly mayChange: boolean;
}

/** Why the deposit may differ, with links to what it is about. */
export function LikelyCauses({ deposit, mayChange }: CausesProps): VNode | null {
  const { status, likelyCauses } = deposit;
  if (status !== 'Differs') return null;
  return (
    <section class="notice" aria-labelledby="causes">
      <h2 id="causes">Why it may differ</h2>
      {likelyCauses.length === 0 && (
        <p>
          Nothing in the books explains the difference. Compare the items with the processor’s own report of this
          payout. If the processor kept or added something that is no gift, adjust the deposit with a reason.
        </p>
      )}
      <ul>
        {likelyCauses.map((cause) => (
          <li key={cause.code + cause.words}>
            <Cause deposit={deposit} cause={cause} mayChange={mayChange} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Cause({ deposit, cause, mayChange }: CausesProps & { readonly cause: LikelyCause }): VNode {
  const { code, words, explains, contributionIds, itemIds } = cause;
  const kind = addedKind(cause);
  // Their gifts are named already.
  const shownItems = code === 'item_too_many' ? [] : itemIds;
  return (
    <>
      {words} {explains && <strong>{explanation(cause)}</strong>}
      {contributionIds.length > 0 && (
        <p class="links">
          {contributionIds.slice(0, LINKS).map((id) => (
            <Link key={id} to={`/console/gifts/${id}`}>
              {code.startsWith('revers') ? 'Reversal' : 'Gift'} {id}
            </Link>
          ))}
          <Others count={contributionIds.length - LINKS} />
        </p>
      )}
      {shownItems.length > 0 && (
        <p class="links">
          {shownItems.slice(0, LINKS).map((id) => (
            <ItemLink key={id} deposit={deposit} itemId={id} />
          ))}
          <Others count={shownItems.length - LINKS} />
        </p>
      )}
      {mayChange && kind !== undefined && (
        <Form to={`${DEPOSITS}/${deposit.id}/items`}>
          {contributionIds.map((id) => (
            <HiddenField key={id} name={`${ITEM}${id}`} value={kind} />
          ))}
          <SubmitButton kind="quiet">
            {contributionIds.length === 1 ? 'Add it to the deposit' : 'Add them to the deposit'}
          </SubmitButton>
        </Form>
      )}
    </>
  );
}

/** Causes of which each gift or item alone is as large as the difference. */
const ONE_OF_THEM: readonly string[] = ['gift_missing', 'reversal_missing', 'item_too_many'];

function explanation({ code, count }: LikelyCause): string {
  return count > 1 && ONE_OF_THEM.includes(code)
    ? 'One of them would explain the whole difference: compare them with the processor’s report of this payout.'
    : 'This explains the whole difference.';
}

function Others({ count }: { readonly count: number }): VNode | null {
  return count > 0 ? <span>and {counted(count, 'other', 'others')}</span> : null;
}

/** What to do about it with one press; undefined if somebody has to choose first. */
function addedKind({ code, count, contributionIds }: LikelyCause): KindOfItem | undefined {
  if (contributionIds.length === 0 || contributionIds.length < count) return undefined;
  if (code === 'payout_incomplete' || (code === 'gift_missing' && count === 1)) return 'Payment';
  if (code === 'reversed_since' || (code === 'reversal_missing' && count === 1)) return 'Reversal';
  return undefined;
}

/** The gift of an item; if the item is on another page, the page that begins with it. */
function ItemLink({ deposit, itemId }: { readonly deposit: DepositDetails; readonly itemId: number }): VNode {
  const item = deposit.items.find((one) => one.itemId === itemId);
  if (item?.paymentId !== undefined && item.paymentId !== null) {
    return (
      <>
        <Link to={`/console/gifts/${item.paymentId}`}>Gift {item.paymentId}</Link>{' '}
      </>
    );
  }
  if (item !== undefined) return <>{item.transactionId ?? `item ${itemId}`} </>;
  return (
    <>
      <Link to={`${DEPOSITS}/${deposit.id}?after=${itemId - 1}#items`}>Item {itemId}</Link>{' '}
    </>
  );
}
