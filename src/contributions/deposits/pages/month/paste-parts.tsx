import type { VNode } from 'preact';
import { SubmitButton, Table, TextArea } from '../../../../pages/index.js';
import { counted } from '../shared/each-by-itself.js';
import { LONGEST_PASTE, type ReadPaste, type UnmatchedLine } from './pasted-lines.js';

/** The name of the field into which lines of the statement are pasted. */
export const LINES = 'Lines';

/** A field into which lines of the statement are pasted, to fill in the rows. It is a part of the form of the rows. */
export function PasteLines(): VNode {
  return (
    <div class="paste">
      <TextArea
        name={LINES}
        label="Paste lines of the statement"
        help="A line fills in the row whose payout id it names: with its last amount, so leave out the column of the balance, and with its day. Nothing is saved before you have checked it."
        maxLength={LONGEST_PASTE}
        hotkey="v"
      />
      <SubmitButton name="Fill" value="true" hotkey="f">
        Fill in the rows
      </SubmitButton>
    </div>
  );
}

/** What became of the lines that were pasted. */
export function PasteResult({ paste: { filled, unmatched } }: { readonly paste: ReadPaste }): VNode {
  const [matched, all] = [filled.length, filled.length + unmatched.length];
  return (
    <>
      <p class="message" role="status">
        {matched} of {counted(all, 'line was', 'lines were')} matched.{' '}
        {matched > 0 && 'Nothing is saved yet: check the rows, then save them.'}
      </p>
      {unmatched.length > 0 && (
        <Table
          caption="Lines that were not matched"
          rows={unmatched.map((line, index) => ({ ...line, place: index + 1 }))}
          keyOf={({ place }) => place}
          empty={null}
          columns={[
            { header: 'Not matched', cell: ({ text }: UnmatchedLine) => text },
            { header: 'Why', cell: ({ reason }: UnmatchedLine) => reason },
          ]}
        />
      )}
    </>
  );
}
