import type { ComponentChildren, VNode } from 'preact';
import { useFormState, useShownField } from './form.js';

export interface FieldProps {
  /** As in the request class. */
  readonly name: string;
  readonly label: string;
  /** What is accepted, or what it is for. */
  readonly help?: string;
  readonly required?: boolean;
  /** Shown before anything was typed. */
  readonly value?: string | undefined;
}

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'password' | 'email' | 'tel' | 'date' | 'search';
  /** As in HTML: "username", "current-password". */
  readonly autocomplete?: string;
  /** Which keyboard a phone shows: "decimal" for amounts. */
  readonly inputMode?: 'decimal' | 'numeric';
  readonly maxLength?: number;
  /** Whether it has the focus when the page opens. For the first field of a page that is only a form. */
  readonly autofocus?: boolean;
  /** Whether "/" puts the cursor here. */
  readonly isSearch?: boolean;
  /** The single key that puts the cursor here, which the list of keys names. */
  readonly hotkey?: string;
}

/** A line of text. A password is never shown again. */
export function TextField(props: TextFieldProps): VNode {
  const {
    name,
    type = 'text',
    required,
    value,
    autocomplete = 'off',
    inputMode,
    maxLength,
    autofocus,
    isSearch,
    hotkey = isSearch === true ? '/' : undefined,
  } = props;
  const { typed, attributes } = useField(props);
  // Preact's types have one shape for each kind of input.
  const kind = type as 'text';
  return (
    <Field {...props}>
      <input
        {...attributes}
        type={kind}
        name={name}
        value={type === 'password' ? undefined : (typed ?? value)}
        required={required}
        autocomplete={autocomplete}
        inputMode={inputMode}
        maxLength={maxLength}
        autofocus={autofocus}
        data-hotkey={hotkey}
        spellcheck={false}
      />
    </Field>
  );
}

/** Several lines of text. */
export function TextArea(props: FieldProps & { readonly maxLength?: number; readonly hotkey?: string }): VNode {
  const { name, required, value, maxLength, hotkey } = props;
  const { typed, attributes } = useField(props);
  return (
    <Field {...props}>
      <textarea {...attributes} name={name} required={required} maxLength={maxLength} rows={3} data-hotkey={hotkey}>
        {typed ?? value}
      </textarea>
    </Field>
  );
}

/** A file of the person's computer. A browser never shows again which one was chosen. */
export function FileField(props: FieldProps & { readonly accept: string; readonly hotkey?: string }): VNode {
  const { name, required, accept, hotkey } = props;
  const { attributes } = useField(props);
  return (
    <Field {...props}>
      <input {...attributes} type="file" name={name} accept={accept} required={required} data-hotkey={hotkey} />
    </Field>
  );
}

interface SelectFieldProps extends FieldProps {
  /** The values with their labels. With the value "" for "none" or "all". */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** A choice from a list. */
export function SelectField(props: SelectFieldProps): VNode {
  const { name, required, value, options } = props;
  const { typed, attributes } = useField(props);
  const chosen = typed ?? value ?? '';
  return (
    <Field {...props}>
      <select {...attributes} name={name} required={required}>
        {options.map(([option, label]) => (
          <option key={option} value={option} selected={option === chosen}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A box to tick. It sends "true", or nothing. */
export function CheckboxField(props: FieldProps & { readonly checked?: boolean }): VNode {
  const { name, label, required, checked } = props;
  const { typed, attributes, fault, help } = useField(props);
  return (
    <div class={fault === undefined ? 'field checkbox' : 'field checkbox faulty'}>
      <label>
        <input
          {...attributes}
          type="checkbox"
          name={name}
          value="true"
          required={required}
          checked={typed === undefined ? checked : true}
        />{' '}
        {label}
      </label>
      {help}
      {fault}
    </div>
  );
}

/** A value that the form sends along, unseen. */
export function HiddenField({ name, value }: { readonly name: string; readonly value: string }): VNode {
  return <input type="hidden" name={name} value={value} />;
}

/** Several of them, by name. */
export function HiddenFields({ values }: { readonly values: Readonly<Record<string, string>> }): VNode {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <HiddenField key={name} name={name} value={value} />
      ))}
    </>
  );
}

function Field(props: FieldProps & { readonly children: ComponentChildren }): VNode {
  const { attributes, fault, help } = useField(props);
  return (
    <div class={fault === undefined ? 'field' : 'field faulty'}>
      <label for={attributes.id}>{props.label}</label>
      {help}
      {props.children}
      {fault}
    </div>
  );
}

interface FieldParts {
  readonly typed: string | undefined;
  readonly attributes: Readonly<{
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': 'true' | undefined;
  }>;
  readonly fault: VNode | undefined;
  readonly help: VNode | undefined;
}

/** What the form's state says of a field, and the texts that describe it. */
export function useField({ name, label, help }: FieldProps): FieldParts {
  const { typed, faults } = useFormState();
  useShownField(name);
  const id = `field-${name}`;
  const message = faults.find(({ field }) => field === name)?.message;
  const described = [help === undefined ? [] : `${id}-help`, message === undefined ? [] : `${id}-fault`].flat();
  return {
    typed: typed[name],
    attributes: {
      id,
      'aria-describedby': described.length === 0 ? undefined : described.join(' '),
      'aria-invalid': message === undefined ? undefined : 'true',
    },
    fault:
      message === undefined ? undefined : (
        <p class="fault" id={`${id}-fault`}>
          {label} {message}.
        </p>
      ),
    help:
      help === undefined ? undefined : (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      ),
  };
}
