import type { VNode } from 'preact';
import type { DepositView } from '../../deposit-view.js';
import { SubmitButton, Table, TextArea } from '../../../../pages/index.js';
import { counted } from '../shared/each-by-itself.js';
import { Differences, isDifference } from '../shared/differences.js';
import { AMOUNT, differenceOf } from './statement-rows.js';
import { LONGEST_PASTE, type ReadPaste, type UnmatchedLine } from './pasted-lines.js';

/** The name of the field into which lines of the statement are pasted. */
export const LINES = 'Lines';

/** The rows that differ, with links to their amounts. */
function DifferingRows({ deposits }: Pick<Parameters<typeof Differences>[0], 'deposits'>): VNode {
  return (
    <>
      <Differences deposits={deposits} link={(id) => <a href={`#field-${AMOUNT}${id}`}>deposit {id}</a>} />.
    </>
  );
}

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

interface PasteResultProps {
  readonly paste: ReadPaste;
  /** The deposits of the rows. */
  readonly deposits: readonly DepositView[];
}

/** What became of the lines that were pasted, and how their amounts compare with what is expected. */
export function PasteResult({ paste: { filled, unmatched }, deposits }: PasteResultProps): VNode {
  const [matched, all] = [filled.length, filled.length + unmatched.length];
  const compared = filled.flatMap(({ id, amount }) => {
    const deposit = deposits.find((one) => one.id === id);
    if (deposit === undefined) return [];
    return [{ id, currency: deposit.currency, difference: differenceOf(deposit, amount) ?? null }];
  });
  const differing = compared.filter(({ difference }) => isDifference(difference));
  const equal = compared.length - differing.length;
  return (
    <>
      <div class={differing.length + unmatched.length === 0 ? 'message' : 'notice'} role="status">
        <p>
          {matched} of {counted(all, 'line names', 'lines name')} a deposit.
          {equal > 0 && ` ${counted(equal, 'amount is', 'amounts are')} as expected.`}{' '}
          {differing.length > 0 && <DifferingRows deposits={differing} />}
        </p>
        {matched > 0 && <p>Nothing is saved yet: check the rows, then save them.</p>}
      </div>
      {unmatched.length > 0 && (
        <Table
          caption="Lines that fill in no row"
          rows={unmatched.map((line, index) => ({ ...line, place: index + 1 }))}
          keyOf={({ place }) => place}
          empty={null}
          columns={[
            { header: 'Line', cell: ({ text }: UnmatchedLine) => text },
            { header: 'Why', cell: ({ reason }: UnmatchedLine) => reason },
          ]}
        />
      )}
    </>
  );
}
