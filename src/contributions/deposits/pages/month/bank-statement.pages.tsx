import { Get, Post, Query } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
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
  showPage,
} from '../../../../pages/index.js';
import { EnterBank } from '../../settling/enter-bank.service.js';
import { Deposits } from '../../showing/deposits.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { counted, eachByItself, type OneResult } from '../shared/each-by-itself.js';
import { Statement, StatementHelp } from './bank-statement-parts.js';
import { AMOUNT, type EnteredRow, readStatement } from './statement-rows.js';

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
    private readonly enterBank: EnterBank,
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
    if (state.faults.length > 0) return this.page({ ...state, status: 400, code: 'invalid_request' }, sent);
    if (entered.length === 0) return goTo(`${DEPOSITS}/reconcile`, 'Nothing new was entered.');
    const by = actorOf(caller);
    const results = await eachByItself(entered, (row) => this.enterBank.enter({ ...row, by }));
    const saved = results.filter((result) => !(result instanceof ExpectedError)).length;
    const message = `What the bank says is saved for ${counted(saved, 'deposit', 'deposits')}.`;
    if (saved === results.length) return goTo(`${DEPOSITS}/reconcile`, message);
    return this.page(refusedState(state, entered, results), sent);
  }

  private async page(
    { status = 200, code, ...state }: FormState & { readonly status?: number; readonly code?: string },
    query: Sent,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(StatementPage, { after: query['after'] ?? '' });
    const after = reading.isValid ? reading.value.after : undefined;
    const { deposits, next } = await this.deposits.toCompare(after);
    return showPage({
      title: 'Enter the bank statement',
      status,
      ...(code !== undefined && { code }),
      content: (
        <>
          <StatementHelp />
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
