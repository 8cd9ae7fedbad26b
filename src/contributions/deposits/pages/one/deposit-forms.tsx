import { randomUUID } from 'node:crypto';
import type { VNode } from 'preact';
import { Form, type FormState, HiddenField, SubmitButton, TextField } from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import { wasText } from '../month/statement-rows.js';
import { DEPOSITS } from '../shared/deposit-words.js';

interface FormProps {
  readonly deposit: DepositView;
  readonly state: FormState;
}

/** The names of the fields, by those of the request classes: the page has several forms. */
export const BANK_FIELDS = { Date: 'BankDate', Amount: 'BankAmount', Reference: 'BankReference' } as const;
export const ADJUST_FIELDS = { Amount: 'AdjustAmount', Reason: 'AdjustReason' } as const;
export const REMOVE_FIELDS = { Reason: 'RemoveReason' } as const;

/** The form of the items that are to be removed. */
export const REMOVING = 'removing';

/** What the bank says. Nothing is filled in that would hide a difference. */
export function BankForm({ deposit, state }: FormProps): VNode {
  const { id, bankAmount, bankDate, bankReference, date } = deposit;
  return (
    <section aria-labelledby="bank">
      <h2 id="bank">On the bank statement</h2>
      <Form to={`${DEPOSITS}/${id}/bank`} state={state}>
        <HiddenField name="Was" value={wasText(deposit)} />
        <TextField
          name={BANK_FIELDS.Amount}
          label="Amount at the bank"
          help="With a minus if the bank paid."
          value={bankAmount ?? undefined}
          inputMode="decimal"
          hotkey="e"
          required
        />
        <TextField name={BANK_FIELDS.Date} label="Day" type="date" value={bankDate ?? date} required />
        <TextField name={BANK_FIELDS.Reference} label="Reference" value={bankReference ?? undefined} maxLength={100} />
        <SubmitButton>Save the bank’s amount</SubmitButton>
      </Form>
      {bankAmount !== null && (
        <Form to={`${DEPOSITS}/${id}/bank/withdraw`}>
          <HiddenField name="Was" value={wasText(deposit)} />
          <SubmitButton kind="quiet">Remove the bank’s amount from this deposit</SubmitButton>
        </Form>
      )}
    </section>
  );
}

/** An adjustment, for what no gift and no reversal explains. */
export function AdjustForm({ deposit, state }: FormProps): VNode {
  return (
    <section aria-labelledby="adjust">
      <h2 id="adjust">Adjust</h2>
      <Form to={`${DEPOSITS}/${deposit.id}/adjust`} state={state}>
        <HiddenField name="Key" value={state.typed['Key'] ?? randomUUID()} />
        <TextField
          name={ADJUST_FIELDS.Amount}
          label="Add to what is expected"
          help="With a minus to take from it. For what is no gift, such as a monthly fee. The opposite amount undoes it."
          inputMode="decimal"
          hotkey="a"
          required
        />
        <TextField name={ADJUST_FIELDS.Reason} label="Why" maxLength={1000} required />
        <SubmitButton>Adjust</SubmitButton>
      </Form>
    </section>
  );
}

/** Why the ticked items are removed. */
export function RemoveForm({ deposit, state }: FormProps): VNode {
  return (
    <Form id={REMOVING} to={`${DEPOSITS}/${deposit.id}/items/remove`} state={state}>
      <TextField
        name={REMOVE_FIELDS.Reason}
        label="Why the ticked items do not belong to it"
        help="They stay listed as removed, and another deposit can have them."
        maxLength={1000}
        required
      />
      <SubmitButton kind="quiet">Remove the ticked items</SubmitButton>
    </Form>
  );
}
