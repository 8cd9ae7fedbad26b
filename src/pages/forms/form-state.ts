import type { FieldFault, Query } from '../../http/index.js';
import { FORM_TOKEN_FIELD } from '../../http/index.js';

/** What a form shows: what was typed, and what is wrong with it. */
export interface FormState {
  /** The texts that were sent, by name. Empty for a form that is shown for the first time. */
  readonly typed: Readonly<Record<string, string>>;
  /** The fields that were refused. */
  readonly faults: readonly FieldFault[];
  /** Why the whole form was refused. */
  readonly message?: string;
}

/** A form that is shown: if it was refused, with the status and the code of the answer. */
export interface ShownForm extends FormState {
  /** Default: 200. */
  readonly status?: number;
  /** Of the error. */
  readonly code?: string;
}

/** A form that was refused. */
export type RefusedForm = ShownForm & Required<Pick<ShownForm, 'status' | 'code'>>;

/** A form that nobody has sent yet. */
export const NEW_FORM: FormState = { typed: {}, faults: [] };

/** The texts that were sent. Of a name that was sent several times, none is used. */
export function typedIn(sent: Query): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) =>
      typeof value === 'string' && name !== FORM_TOKEN_FIELD ? [[name, value]] : [],
    ),
  );
}
