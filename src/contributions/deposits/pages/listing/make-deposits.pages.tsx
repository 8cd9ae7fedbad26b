import { Get, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { actorOf, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import { ExpectedError, type Query as Sent } from '../../../../http/index.js';
import {
  Form,
  FormReader,
  type FormState,
  goTo,
  Link,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  type ShownForm,
  showPage,
  SubmitButton,
  Table,
  TextField,
} from '../../../../pages/index.js';
import { DepositPayout } from '../../filling/deposit-payout.service.js';
import { DepositRequest } from '../../filling/filling.requests.js';
import { SendDeposit } from '../../filling/send-deposit.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { counted, eachByItself } from '../shared/each-by-itself.js';
import { type TickedPayout, tickedPayouts } from './ticked-payouts.js';

/** Makes deposits: of payouts, all ticked ones at once, and by hand. */
@PagesUnder('deposits')
@Page('Finance')
export class MakeDepositsPages {
  constructor(
    private readonly depositPayout: DepositPayout,
    private readonly sendDeposit: SendDeposit,
    private readonly forms: FormReader,
  ) {}

  @Post('payouts')
  async makeOfPayouts(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const ticked = tickedPayouts(sent);
    if (ticked.length === 0) return goTo(DEPOSITS, 'No payout was ticked.');
    const by = actorOf(caller);
    const results = await eachByItself(ticked, (payout) => this.depositPayout.make({ ...payout, date: undefined, by }));
    const refused = results.filter((result) => result instanceof ExpectedError);
    const made = `${counted(results.length - refused.length, 'deposit is', 'deposits are')} made.`;
    if (refused.length === 0) return goTo(`${DEPOSITS}/statement`, made);
    return showPage({
      title: 'Some deposits are not made',
      status: 409,
      code: refused[0]?.kind.code ?? 'conflict',
      content: <MadeDeposits ticked={ticked} results={results} />,
    });
  }

  @Get('new')
  form(): PageAnswer {
    return newPage(NEW_FORM);
  }

  /** To send the form again leads to the same deposit. */
  @Post()
  async add(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(DepositRequest, sent, ['Amount']);
    if (!reading.isValid) return newPage({ ...reading.state, status: 400, code: 'invalid_request' });
    const {
      DepositId: depositId,
      Source: source,
      Date: date,
      Amount: amount = null,
      Currency: currency,
    } = reading.value;
    const command = { userId: null, depositId, source, date, amount, currency, items: [], by: actorOf(caller) };
    try {
      const { answer } = await this.sendDeposit.enter(command);
      return goTo(`${DEPOSITS}/${answer.id}`, `Deposit ${answer.id} is there. Add its gifts.`);
    } catch (error) {
      return newPage(this.forms.refused(reading.state, error));
    }
  }
}

interface MadeProps {
  readonly ticked: readonly TickedPayout[];
  readonly results: readonly unknown[];
}

/** What became of each ticked payout. */
function MadeDeposits({ ticked, results }: MadeProps): VNode {
  const hasCurrencies = new Set(ticked.map(({ currency }) => currency)).size > 1;
  return (
    <>
      <Table
        caption="Results"
        rows={ticked.map((payout, index) => ({ ...payout, result: results[index] }))}
        keyOf={({ source, payoutId, currency }) => `${source} ${payoutId} ${currency}`}
        empty={null}
        columns={[
          { header: 'Payout', cell: ({ payoutId }) => payoutId },
          { header: 'Source', cell: ({ source }) => source },
          ...(hasCurrencies ? [{ header: 'Currency', cell: ({ currency }: TickedPayout) => currency }] : []),
          { header: 'Result', cell: ({ result }) => (result instanceof ExpectedError ? result.message : 'Made') },
        ]}
      />
      <p class="buttons">
        <Link to={`${DEPOSITS}/statement`} button hotkey="e">
          Enter the bank statement
        </Link>
        <Link to={DEPOSITS}>All deposits</Link>
      </p>
    </>
  );
}

function newPage({ status = 200, code, ...state }: ShownForm): PageAnswer {
  return showPage({
    title: 'Add a deposit',
    status,
    ...(code !== undefined && { code }),
    content: (
      <>
        <p>
          For a payout whose gifts have no payout id, or a transfer that the processor does not report. Then add its
          gifts.
        </p>
        <NewForm state={state} />
        <p class="back">
          <Link to={DEPOSITS}>Back to the deposits</Link>
        </p>
      </>
    ),
  });
}

function NewForm({ state }: { readonly state: FormState }): VNode {
  return (
    <Form to={DEPOSITS} state={state}>
      <TextField
        name="DepositId"
        label="Payout id"
        help="Or the reference of the transfer."
        maxLength={100}
        required
        autofocus
      />
      <TextField name="Source" label="Source" help="As the gifts have it, such as txt2give." maxLength={100} required />
      <TextField name="Date" label="Day of the payout" type="date" required />
      <TextField
        name="Amount"
        label="What the processor says that it pays out"
        help="Leave it empty if it does not say. The bank’s amount comes later."
        inputMode="decimal"
      />
      <TextField
        name="Currency"
        label="Currency"
        help="Leave it empty for the currency of the church. A former one is written as its code, such as USD."
        maxLength={3}
      />
      <SubmitButton>Add the deposit</SubmitButton>
    </Form>
  );
}
