import { Get, Post } from '@nestjs/common';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { ExpectedError, type Query as Sent } from '../../../../http/index.js';
import { goTo, Link, type PageAnswer, PagesUnder, SentForm, showPage } from '../../../../pages/index.js';
import { ReconcileDeposit } from '../../settling/reconcile-deposit.service.js';
import { Deposits } from '../../showing/deposits.service.js';
import { Undeposited } from '../../showing/undeposited.service.js';
import { Unsettled } from '../../showing/unsettled.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { counted, eachByItself } from '../shared/each-by-itself.js';
import { MissingDeposits } from '../shared/missing-deposits.js';
import { rowsIn } from '../shared/named-fields.js';
import { stillOpenInWords } from '../shared/still-open.js';
import { readSeen } from '../shared/seen-deposit.js';
import { Differing, DifferingFirst, Matching, ReconcileResults, TICK } from './reconcile-parts.js';

const RECONCILE = `${DEPOSITS}/reconcile`;

/** Reconciles deposits that match, all at once. The page itself says what will happen, with figures. */
@PagesUnder('deposits')
@Page('Finance')
export class ReconcileDepositsPages {
  constructor(
    private readonly deposits: Deposits,
    private readonly undeposited: Undeposited,
    private readonly unsettled: Unsettled,
    private readonly reconcileDeposit: ReconcileDeposit,
  ) {}

  @Get('reconcile')
  async confirm(): Promise<PageAnswer> {
    const matching = await this.deposits.toCompare({ status: 'Matches' });
    const missing = matching.deposits.length === 0 ? await this.undeposited.countPayouts() : 0;
    const differing = await this.deposits.toCompare({ status: 'Differs' });
    return showPage({
      title: 'Reconcile deposits',
      actions: (
        <Link to={`${DEPOSITS}/statement`} button hotkey="e">
          Enter the bank statement
        </Link>
      ),
      content: (
        <>
          <MissingDeposits count={missing} />
          <DifferingFirst deposits={differing.deposits} more={differing.next !== undefined} />
          <Matching
            deposits={matching.deposits}
            more={matching.next !== undefined}
            openReviews={await this.unsettled.countOpenReviews(matching.deposits.map(({ id }) => id))}
          />
          <Differing deposits={differing.deposits} />
        </>
      ),
    });
  }

  @Post('reconcile')
  async reconcile(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const ticked = rowsIn(sent, TICK).filter(({ value }) => readSeen(value) !== undefined);
    if (ticked.length === 0) return goTo(RECONCILE, 'No deposit was ticked.');
    const by = actorOf(caller);
    const results = await eachByItself(ticked, ({ id, value }) =>
      this.reconcileDeposit.reconcile({ id, by, ...readSeen(value) }),
    );
    const refused = results.filter((result) => result instanceof ExpectedError);
    if (refused.length === 0) {
      const what = counted(ticked.length, 'deposit is', 'deposits are');
      const { deposits } = await this.deposits.toCompare();
      const rest = stillOpenInWords({ bundles: [], deposits: deposits.map(({ id }) => id) });
      return goTo(`${DEPOSITS}/close-bundles`, `${what} reconciled.${rest}`);
    }
    return showPage({
      title: 'Some deposits are not reconciled',
      status: 409,
      code: refused[0]?.kind.code ?? 'conflict',
      content: <ReconcileResults ticked={ticked} results={results} />,
    });
  }
}
