import type { VNode } from 'preact';
import { Link, type PageAnswer, PrintButton, queryOf, showPage } from '../../../../pages/index.js';
import type { ImportFile } from '../files/import-file.entity.js';
import { ImportFacts, ProblemOfImport } from './import-parts.js';
import { AboutEarlierRows, OutcomeFacts, OutcomeInWords, SomeRows } from './outcome-parts.js';

interface OutcomeProps {
  readonly file: ImportFile;
  /** Whether the visitor may record its gifts. */
  readonly isFinance: boolean;
  /** Another import of the same file that was booked. */
  readonly earlier: number | undefined;
}

/** The page of an import that does not run: what would be recorded, or was. */
export function outcomePage(props: OutcomeProps): PageAnswer {
  return showPage({
    title: `Import ${props.file.id}`,
    actions: <Actions {...props} />,
    content: <Outcome {...props} />,
  });
}

function Actions({ file, isFinance }: OutcomeProps): VNode {
  const { id, state, outcome, forgottenAt } = file;
  const isKept = forgottenAt === null;
  const path = `/console/import/${id}`;
  return (
    <>
      {isFinance && isKept && (state === 'checked' || state === 'stopped') && (
        <Link to={`${path}/book`} button hotkey="b">
          {state === 'stopped' ? 'Continue…' : 'Record the gifts…'}
        </Link>
      )}
      {isFinance && isKept && state === 'checked' && (
        <Link to={`${path}/mapping`} button hotkey="e">
          Read it in another way
        </Link>
      )}
      {isKept && outcome !== null && (
        <Link to={`${path}/result`} button hotkey="d">
          Result of each row (CSV)
        </Link>
      )}
      <PrintButton />
      {isFinance && isKept && (
        <Link to={`${path}/forget`} button>
          Delete the content…
        </Link>
      )}
    </>
  );
}

function Outcome({ file, earlier }: OutcomeProps): VNode {
  const { state, outcome, problem, options } = file;
  return (
    <>
      {state === 'booked' && outcome !== null && (
        <p class="message">
          <OutcomeInWords outcome={outcome} />
        </p>
      )}
      <ImportFacts file={file} />
      <ProblemOfImport problem={problem} />
      {earlier !== undefined && (
        <div class="notice">
          <p>
            The gifts of this file were recorded before, by{' '}
            <Link to={`/console/import/${earlier}`}>import {earlier}</Link>. They are not recorded again.
          </p>
        </div>
      )}
      {outcome !== null && state !== 'stopped' && (
        <>
          {state === 'checked' && <p>Nothing is recorded yet. This is what will be recorded:</p>}
          <OutcomeFacts outcome={outcome} isBooked={state === 'booked'} />
          <AboutEarlierRows outcome={outcome} />
          {state === 'booked' && (
            <p>
              <Link to={`/console/gifts${queryOf({ processor: options.username })}`}>
                Gifts recorded as {options.username}, the latest first
              </Link>
            </p>
          )}
        </>
      )}
      <SomeRows file={file} />
    </>
  );
}
