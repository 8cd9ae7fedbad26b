import type { ComponentChildren, VNode } from 'preact';
import { HiddenFields } from '../forms/fields.js';
import { Form, SubmitButton } from '../forms/form.js';
import type { FormState } from '../forms/form-state.js';
import { Link } from '../frame/link.js';

interface ConfirmationProps {
  /** What will happen, with figures, and that it cannot be undone. */
  readonly children: ComponentChildren;
  /** The path to which it is sent. */
  readonly to: string;
  /** What the person has seen and agrees to, such as count and total. The use case compares it with what it finds. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The action in words: "Close bundle 12". */
  readonly button: string;
  /** The page to go back to. */
  readonly back: string;
  /** In place of it: where the fields are sent to go back to the form that they come from, and the button that says so. */
  readonly change?: { readonly to: string; readonly name: string };
  readonly state?: FormState | undefined;
}

/** The step before an action that cannot be undone. It is the content of a page of its own. */
export function Confirmation({ children, to, fields = {}, button, back, change, state }: ConfirmationProps): VNode {
  return (
    <section class="confirmation">
      {children}
      <Form to={to} state={state}>
        <HiddenFields values={fields} />
        <div class="buttons">
          <SubmitButton kind="danger" hotkey="y">
            {button}
          </SubmitButton>
          {change === undefined ? (
            <Link to={back}>Cancel</Link>
          ) : (
            <SubmitButton kind="quiet" to={change.to} name={change.name} value="true">
              Cancel
            </SubmitButton>
          )}
        </div>
      </Form>
    </section>
  );
}
