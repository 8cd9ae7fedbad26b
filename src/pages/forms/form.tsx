import { type ComponentChildren, createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { FORM_TOKEN_FIELD } from '../../http/index.js';
import { addressOf } from '../frame/addresses.js';
import { usePage } from '../frame/page-context.js';
import { Key } from '../parts/key.js';
import { type FormState, NEW_FORM } from './form-state.js';
import { fieldInWords } from './words-of-pages.js';

const State = createContext<FormState>(NEW_FORM);

/** The names of the fields of a form that were rendered so far, beside which their faults are. */
const Shown = createContext<Set<string>>(new Set());

/** The state of the form in which a field is. */
export function useFormState(): FormState {
  return useContext(State);
}

/** Notes that a field shows its own fault. */
export function useShownField(name: string): void {
  useContext(Shown).add(name);
}

interface FormProps {
  /** For fields outside of the form, such as ticks in the rows of a table. */
  readonly id?: string;
  /** The path to which it is sent: "/console/bundles/12/close". */
  readonly to: string;
  /** What was typed before, and what was wrong with it. */
  readonly state?: FormState | undefined;
  /** Whether it has a `FileField`. Its route has `@TakesFile()`. */
  readonly takesFile?: boolean;
  readonly children: ComponentChildren;
}

/** A form that changes something. It is sent by POST, with the form token of the session. */
export function Form({ id, to, state = NEW_FORM, takesFile = false, children }: FormProps): VNode {
  const { root, formToken } = usePage();
  // The token is checked before the file is received, so it is in front of it.
  const query = takesFile && formToken !== undefined ? `?${FORM_TOKEN_FIELD}=${formToken}` : '';
  return (
    <State.Provider value={state}>
      <form
        id={id}
        method="post"
        action={addressOf(root, to) + query}
        encType={takesFile ? 'multipart/form-data' : undefined}
      >
        <Refusal state={state} />
        {formToken !== undefined && !takesFile && <input type="hidden" name={FORM_TOKEN_FIELD} value={formToken} />}
        <Fields state={state}>{children}</Fields>
      </form>
    </State.Provider>
  );
}

/** The fields, and then the faults of those that are not shown, such as hidden ones. */
function Fields({ state, children }: { readonly state: FormState; readonly children: ComponentChildren }): VNode {
  const shown = new Set<string>();
  return (
    <Shown.Provider value={shown}>
      {children}
      <OtherFaults state={state} shown={shown} />
    </Shown.Provider>
  );
}

function OtherFaults({ state: { faults }, shown }: { readonly state: FormState; readonly shown: Set<string> }): VNode {
  const others = faults.filter(({ field }) => !shown.has(field));
  return (
    <>
      {others.map(({ field, message }) => (
        <p key={field} class="fault">
          {fieldInWords(field)} {message}. Open the page again, and begin anew.
        </p>
      ))}
    </>
  );
}

/** A form that only asks for another view of a page: a search or a filter. Its fields become the query of the address. */
export function FilterForm({ to, state = NEW_FORM, children }: Omit<FormProps, 'id' | 'takesFile'>): VNode {
  const { root } = usePage();
  return (
    <State.Provider value={state}>
      <form method="get" action={addressOf(root, to)} class="filter" role="search">
        <Refusal state={state} />
        <Fields state={state}>{children}</Fields>
      </form>
    </State.Provider>
  );
}

/** What is wrong, above the fields, so that it is read first. The faults of fields are beside the fields. */
function Refusal({ state: { message, faults } }: { readonly state: FormState }): VNode | null {
  if (message === undefined && faults.length === 0) return null;
  return (
    <div class="refusal" role="alert">
      {message ?? (faults.length === 1 ? 'Please correct the marked field.' : 'Please correct the marked fields.')}
    </div>
  );
}

interface SubmitButtonProps {
  readonly children: ComponentChildren;
  /** "danger" for what cannot be undone, "quiet" for what is beside the matter. */
  readonly kind?: 'danger' | 'quiet';
  /** The single key that presses it, which the list of keys names. */
  readonly hotkey?: string;
  /** The id of the form that it sends, if it is outside of it. */
  readonly form?: string;
  /** Says which of several buttons was pressed. */
  readonly name?: string;
  readonly value?: string;
  /** The path to which it sends the form, if that is not the form's own. */
  readonly to?: string;
}

/**
 * What the Enter key presses in a form that has another button above its main one: a browser takes the first. It is not seen, and
 * the main button does the same.
 */
export function EnterButton(): VNode {
  return <button type="submit" class="unseen" tabIndex={-1} aria-hidden="true" />;
}

/** The button that sends a form. */
export function SubmitButton({ children, kind, hotkey, form, name, value, to }: SubmitButtonProps): VNode {
  const { root } = usePage();
  const formAction = to === undefined ? undefined : addressOf(root, to);
  return (
    <button
      type="submit"
      class={kind}
      data-hotkey={hotkey}
      form={form}
      name={name}
      value={value}
      formAction={formAction}
    >
      {children}
      <Key hotkey={hotkey} />
    </button>
  );
}
