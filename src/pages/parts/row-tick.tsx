import type { VNode } from 'preact';
import { Key } from './key.js';

interface RowTickProps {
  /** The id of the form that gets it. */
  readonly form: string;
  readonly name: string;
  /** What it sends. */
  readonly value: string;
  /** What is ticked, for people who do not see the row: "Bundle 12". */
  readonly label: string;
  readonly checked?: boolean;
}

/** Ticks all rows of the page, or none if all are ticked. Shown by console.js: without it, each row is ticked by itself. */
export function TickAllButton(): VNode {
  return (
    <button type="button" class="quiet" data-tick-all data-hotkey="a" hidden>
      Tick all
      <Key hotkey="a" />
    </button>
  );
}

/** A box in a row of a table, to act on several rows at once. The key x ticks that of the row with the focus. */
export function RowTick({ form, name, value, label, checked }: RowTickProps): VNode {
  return (
    <input type="checkbox" class="tick" form={form} name={name} value={value} aria-label={label} checked={checked} />
  );
}
