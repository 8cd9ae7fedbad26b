import type { VNode } from 'preact';
import {
  type FormState,
  Link,
  NEW_FORM,
  type PageAnswer,
  PrintButton,
  type ShownForm,
  showPage,
} from '../../../../pages/index.js';
import type { DepositDetails } from '../../showing/deposit-details.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { LikelyCauses } from './cause-list.js';
import { DepositFacts, Figures } from './deposit-figures.js';
import { AdjustForm, BankForm, RemoveForm } from './deposit-forms.js';
import { Adjustments, DepositBundles, ReversedSince } from './deposit-lists.js';
import { ItemTable } from './item-table.js';

interface DepositPageProps {
  readonly deposit: DepositDetails;
  readonly mayChange: boolean;
  readonly isLater?: boolean;
  /** The form that was refused, and its state. */
  readonly refused?: 'bank' | 'adjust' | 'remove';
  readonly state?: ShownForm;
}

/** The page of a deposit: what should be at the bank, what is, and what can be done about a difference. */
export function depositPage({
  deposit,
  mayChange,
  isLater = false,
  refused,
  state = NEW_FORM,
}: DepositPageProps): PageAnswer {
  const isOpen = mayChange && deposit.status !== 'Reconciled';
  const { status, code } = state;
  return showPage({
    title: `Deposit ${deposit.id}`,
    heading: `Deposit ${deposit.id}: ${deposit.depositId} of ${deposit.source}`,
    ...(status !== undefined && code !== undefined && { status, code }),
    actions: (
      <>
        {mayChange && <Actions deposit={deposit} />}
        <PrintButton />
      </>
    ),
    content: (
      <>
        {refused !== undefined && !isOpen && <NotChangeable state={state} />}
        <LikelyCauses deposit={deposit} mayChange={isOpen} />
        <DepositFacts deposit={deposit} />
        <Figures deposit={deposit} />
        {isOpen && (
          <div class="beside">
            <BankForm deposit={deposit} state={refused === 'bank' ? state : NEW_FORM} />
            <AdjustForm deposit={deposit} state={refused === 'adjust' ? state : NEW_FORM} />
          </div>
        )}
        <Adjustments deposit={deposit} />
        <Items deposit={deposit} mayRemove={isOpen} isLater={isLater} state={refused === 'remove' ? state : NEW_FORM} />
        <ReversedSince deposit={deposit} />
        <DepositBundles deposit={deposit} />
        <DepositHelp />
      </>
    ),
  });
}

interface ItemsProps {
  readonly deposit: DepositDetails;
  readonly mayRemove: boolean;
  readonly isLater: boolean;
  /** Of the form that removes items. */
  readonly state: FormState;
}

function Items({ deposit, mayRemove, isLater, state }: ItemsProps): VNode {
  const ticked = new Set(Object.keys(state.typed));
  return (
    <section aria-labelledby="items">
      <h2 id="items">Items</h2>
      <ItemTable deposit={deposit} mayRemove={mayRemove} isLater={isLater} ticked={ticked} />
      {mayRemove && deposit.items.length > 0 && <RemoveForm deposit={deposit} state={state} />}
    </section>
  );
}

/** A form that was refused because the deposit is reconciled by now is not shown any more: its reason and content are. */
function NotChangeable({ state }: { readonly state: FormState }): VNode {
  const typed = Object.entries(state.typed).filter(
    ([name, value]) => /^(Bank|Adjust|Remove)/.test(name) && value !== '',
  );
  return (
    <div class="refusal" role="alert">
      {state.message ?? 'This deposit cannot be changed any more.'}
      {typed.length > 0 && ` You typed: ${typed.map(([, value]) => value).join(', ')}.`}
    </div>
  );
}

function Actions({ deposit: { id, status, bundles } }: { readonly deposit: DepositDetails }): VNode {
  const path = `${DEPOSITS}/${id}`;
  if (status === 'Reconciled') {
    return (
      <>
        {bundles.some((bundle) => bundle.status === 'Open') && (
          <Link to={`${path}/close-bundles`} button hotkey="c">
            Close its bundles…
          </Link>
        )}
      </>
    );
  }
  return (
    <>
      {status === 'Matches' && (
        <Link to={`${path}/reconcile`} button hotkey="r">
          Reconcile…
        </Link>
      )}
      <Link to={`${path}/add`} button hotkey="i">
        Add items
      </Link>
    </>
  );
}

function DepositHelp(): VNode {
  return (
    <details>
      <summary>How is a deposit reconciled?</summary>
      <p>
        Enter what the bank says. If that is what is expected, reconcile the deposit: it is final from then on. If it
        differs, look at the likely causes: add what is missing, remove what does not belong to it, or adjust it with a
        reason. One cent is a difference, too.
      </p>
    </details>
  );
}
