import type { Query as Sent } from '../../../../http/index.js';
import { type FormState, typedIn } from '../../../../pages/index.js';

/** The name of the field that says whether all is taken back or a part. The API has none: there, no amount is all. */
export const HOW_MUCH = 'HowMuch';
export const [ALL, PART] = ['all', 'part'] as const;

/** The name of the button that leads back from the question to the form. */
export const CHANGE = 'Change';

type FieldFault = FormState['faults'][number];

/** What a form says of the amount. */
interface ChosenAmount {
  readonly choice: typeof ALL | typeof PART;
  /** The form as a call sends it: without the choice, and without an amount if it is all. */
  readonly rest: Sent;
  readonly faults: readonly FieldFault[];
}

/** Reads whether all is taken back or a part. An amount without a choice is a part. */
export function amountChosen({ [HOW_MUCH]: chosen, ...sent }: Sent): ChosenAmount {
  const { Amount: amount, ...others } = sent;
  const isTyped = typeof amount === 'string' && amount.trim() !== '';
  if (chosen === ALL) return { choice: ALL, rest: others, faults: isTyped ? [BOTH] : [] };
  return { choice: PART, rest: sent, faults: isTyped ? [] : [chosen === PART ? NO_AMOUNT : NO_CHOICE] };
}

/** The fields of the question, which has the amount in any case, as a call sends them. */
export function withoutChoice(sent: Sent): Sent {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== HOW_MUCH));
}

/** What the form shows when the question leads back to it. The question has the amount also if all is taken back. */
export function typedAgain(sent: Sent): FormState['typed'] {
  const { choice, rest } = amountChosen(sent);
  return { ...typedIn(rest), [HOW_MUCH]: choice };
}

const BOTH: FieldFault = {
  field: HOW_MUCH,
  message: 'is all that is left, and an amount is typed: choose one of both',
};
const NO_AMOUNT: FieldFault = { field: 'Amount', message: 'is required' };
const NO_CHOICE: FieldFault = { field: HOW_MUCH, message: 'must be chosen' };
