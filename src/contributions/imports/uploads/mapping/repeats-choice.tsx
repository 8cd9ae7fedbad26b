import type { VNode } from 'preact';
import { SelectField } from '../../../../pages/index.js';
import type { FileFormat } from '../../files/file-format.js';
import { isObject, type MappingObject } from '../../files/mapping.js';

/** The choices of `repeats`, the labels of their list, and their values. */
const CHOICES: readonly (readonly [choice: string, label: string, repeats: readonly string[]])[] = [
  ['none', 'Nothing: fees and refunds are added up', []],
  ['fee', 'Fee', ['Fee']],
  ['refunded', 'Amount refunded so far', ['RefundedAmount']],
  ['both', 'Fee and amount refunded so far', ['Fee', 'RefundedAmount']],
];

/** What each row of a payment to several funds shows for the whole payment. */
export function RepeatsField({ file: { repeats } }: { readonly file: FileFormat }): VNode {
  const chosen = CHOICES.find(([, , fields]) => JSON.stringify(fields) === JSON.stringify(repeats));
  return (
    <SelectField
      name="repeats"
      label="Repeated on all rows of one payment"
      help="Only for payments with several rows: some exports show the fee of the whole payment on each of them."
      value={chosen?.[0] ?? ''}
      options={[['', 'Not decided'], ...CHOICES.map(([choice, label]) => [choice, label] as const)]}
    />
  );
}

/** The key of `file` for a choice, if it differs from the format. Without a choice, it stays as it was. */
export function readRepeats(
  choice: string | undefined,
  { file }: MappingObject,
  ofFormat: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const chosen = CHOICES.find(([known]) => known === choice);
  if (chosen !== undefined)
    return JSON.stringify(chosen[2]) === JSON.stringify(ofFormat['repeats']) ? {} : { repeats: chosen[2] };
  return isObject(file) && 'repeats' in file ? { repeats: file.repeats } : {};
}
