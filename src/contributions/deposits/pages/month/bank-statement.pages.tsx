import { Get, Post, Query } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { Church } from '../../../../config/index.js';
import { ExpectedError, filterId, OptionalField, type Query as Sent } from '../../../../http/index.js';
import {
  FormReader,
  type FormState,
  goTo,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  Pagination,
  SentForm,
  type ShownForm,
  showPage,
} from '../../../../pages/index.js';
import type { DepositView } from '../../deposit-view.js';
import { EnterBank } from '../../settling/enter-bank.service.js';
import { Deposits } from '../../showing/deposits.service.js';
import { Undeposited } from '../../showing/undeposited.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { differencesInWords } from '../shared/differences.js';
import { counted, eachByItself, type OneResult } from '../shared/each-by-itself.js';
import { textIn } from '../shared/named-fields.js';
import { MissingDeposits } from '../shared/missing-deposits.js';
import { Statement, StatementHelp } from './bank-statement-parts.js';
import { LINES, PasteResult } from './paste-parts.js';
import { LONGEST_PASTE, type ReadPaste, readPastedLines, wordsOf } from './pasted-lines.js';
import { AMOUNT, type EnteredRow, readStatement, withFilledRows } from './statement-rows.js';

const STATEMENT = `${DEPOSITS}/statement`;

class StatementPage {
  @OptionalField(filterId, { description: 'The last deposit of the page before.', examples: [100] })
  after?: number;
}

/** The page on which the lines of a bank statement are entered, for many deposits at once. */
@PagesUnder('deposits')
@Page('Finance')
export class BankStatementPages {
  constructor(
    private readonly deposits: Deposits,
    private readonly undeposited: Undeposited,
    private readonly enterBank: EnterBank,
    private readonly church: Church,
    private readonly forms: FormReader,
  ) {}

  @Get('statement')
  async show(@Query() query: Sent): Promise<PageAnswer> {
    return this.page(NEW_FORM, query);
  }

  /** Stores nothing if a row is not valid. A deposit that somebody else has changed keeps what they entered. */
  @Post('statement')
  async save(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const { entered, state } = readStatement(this.forms, sent);
    const lines = textIn(sent, LINES);
    if (lines !== '' || sent['Fill'] !== undefined) return this.fill(lines, state, sent);
    if (state.faults.length > 0) return this.page({ ...state, status: 400, code: 'invalid_request' }, sent);
    if (entered.length === 0) return goTo(`${DEPOSITS}/reconcile`, 'Nothing new was entered.');
    const by = actorOf(caller);
    const results = await eachByItself(entered, (row) => this.enterBank.enter({ ...row, by }));
    const saved = results.filter((result): result is DepositView => !(result instanceof ExpectedError));
    if (saved.length === results.length) return goTo(`${DEPOSITS}/reconcile`, savedInWords(saved));
    return this.page(refusedState(state, entered, results), sent);
  }

  /** Fills in the rows from pasted lines, and stores nothing. */
  private async fill(lines: string, state: FormState, query: Sent): Promise<PageAnswer> {
    const fault = faultOf(lines);
    if (fault !== undefined) {
      const typed = { ...state.typed, [LINES]: lines };
      const faults = [{ field: LINES, message: fault }];
      return this.page({ typed, faults, status: 400, code: 'invalid_request' }, query);
    }
    const { deposits } = await this.deposits.toCompare({ after: this.afterIn(query) });
    const reconciled = await this.deposits.reconciledAmong(wordsOf(lines));
    const paste = readPastedLines(lines, { deposits, reconciled }, this.church);
    return this.page(withFilledRows(state, paste.filled), query, paste);
  }

  private afterIn(query: Sent): number | undefined {
    const reading = this.forms.read(StatementPage, { after: query['after'] ?? '' });
    return reading.isValid ? reading.value.after : undefined;
  }

  private async page({ status = 200, code, ...state }: ShownForm, query: Sent, paste?: ReadPaste): Promise<PageAnswer> {
    const after = this.afterIn(query);
    const { deposits, next } = await this.deposits.toCompare({ after });
    const missing = await this.undeposited.countPayouts();
    return showPage({
      title: 'Enter the bank statement',
      status,
      ...(code !== undefined && { code }),
      content: (
        <>
          <StatementHelp />
          {paste !== undefined && <PasteResult paste={paste} deposits={deposits} />}
          <MissingDeposits count={missing} />
          <Statement deposits={deposits} state={state} after={after} />
          <Pagination
            to={STATEMENT}
            query={{}}
            next={next === undefined ? undefined : { after: next }}
            isLater={after !== undefined}
          />
        </>
      ),
    });
  }
}

/** "The bank’s amount is saved for 30 deposits. 29 match, 1 differs: deposit 14 by USD −25.00." */
function savedInWords(deposits: readonly DepositView[]): string {
  const differing = deposits.filter(({ status }) => status === 'Differs');
  const matching = deposits.length - differing.length;
  const parts = [
    ...(matching === 0 ? [] : [counted(matching, 'matches', 'match')]),
    ...(differing.length === 0 ? [] : [differencesInWords(differing)]),
  ];
  const what = counted(deposits.length, 'deposit', 'deposits');
  return `The bank’s amount is saved for ${what}. ${parts.join(', ')}.`;
}

/** What is wrong with pasted lines. */
function faultOf(lines: string): string | undefined {
  if (lines === '') return 'must not be empty';
  return lines.length > LONGEST_PASTE ? `must have at most ${LONGEST_PASTE} characters` : undefined;
}

/**
 * The rows that were refused keep what was typed, and say why. Those that were saved show what is stored. A deposit that is not
 * listed any more is named above.
 */
function refusedState(
  { typed }: FormState,
  entered: readonly EnteredRow[],
  results: readonly OneResult<unknown>[],
): FormState & { readonly status: number; readonly code: string } {
  const refused = entered.flatMap(({ id, amount }, index) => {
    const result = results[index];
    return result instanceof ExpectedError ? [{ id, amount, error: result }] : [];
  });
  const ends = refused.map(({ id }) => `-${id}`);
  return {
    typed: Object.fromEntries(Object.entries(typed).filter(([name]) => ends.some((end) => name.endsWith(end)))),
    faults: refused.map(({ id, error }) => ({
      field: `${AMOUNT}${id}`,
      message: `was not stored. ${error.message.replace(/\.$/, '')}`,
    })),
    message: `${counted(refused.length, 'row was', 'rows were')} not stored: ${refused.map(({ amount, error }) => `${error.message} You entered ${amount}.`).join(' ')}`,
    status: 409,
    code: refused[0]?.error.kind.code ?? 'conflict',
  };
}
