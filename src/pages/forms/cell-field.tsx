import type { VNode } from 'preact';
import { type FieldProps, useField } from './fields.js';

interface CellFieldProps extends Pick<FieldProps, 'name' | 'value'> {
  /** What it is, with its row, for people who do not see the table: "Bank’s amount of deposit 7". */
  readonly label: string;
  readonly type?: 'text' | 'date';
  /** Which keyboard a phone shows: "decimal" for amounts. */
  readonly inputMode?: 'decimal';
  readonly maxLength?: number;
}

/** A line of text in a cell of a table, whose header is its label for people who see it. */
export function CellField(props: CellFieldProps): VNode {
  const { name, label, type = 'text', value, inputMode, maxLength } = props;
  const { typed, attributes, fault } = useField({ name, label });
  // Preact's types have one shape for each kind of input.
  const kind = type as 'text';
  return (
    <span class="cell">
      <input
        {...attributes}
        type={kind}
        name={name}
        value={typed ?? value}
        aria-label={label}
        autocomplete="off"
        inputMode={inputMode}
        maxLength={maxLength}
        spellcheck={false}
      />
      {fault}
    </span>
  );
}
