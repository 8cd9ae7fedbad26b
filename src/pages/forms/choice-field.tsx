import type { VNode } from 'preact';
import { type FieldProps, useField } from './fields.js';

interface ChoiceFieldProps extends Omit<FieldProps, 'required'> {
  /** The values with their labels. */
  readonly options: readonly (readonly [value: string, label: string])[];
  /** Whether the first choice has the focus when the page opens. */
  readonly autofocus?: boolean;
}

/** A choice of few, all of which are in sight. Nothing is chosen before somebody chooses, unless `value` says so. */
export function ChoiceField(props: ChoiceFieldProps): VNode {
  const { name, label, value, options, autofocus = false } = props;
  const { typed, attributes, fault, help } = useField(props);
  const chosen = typed ?? value;
  return (
    <fieldset class="choice" role="radiogroup" {...attributes}>
      <legend>{label}</legend>
      {help}
      {options.map(([option, text], index) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === chosen}
            autofocus={autofocus && index === 0}
          />{' '}
          {text}
        </label>
      ))}
      {fault}
    </fieldset>
  );
}
