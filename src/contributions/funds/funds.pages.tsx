import { Get, OnModuleInit, Param, Post } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../auth/index.js';
import { PathIdPipe, type Query as Sent } from '../../http/index.js';
import {
  FormReader,
  type FormState,
  goTo,
  Link,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  SentForm,
  ShownNames,
  showPage,
} from '../../pages/index.js';
import { AskForDefault, AskToClose } from './asking/fund-questions.js';
import { FUND_CHANGED } from './errors.js';
import { CreateFundRequest, MakeFundDefaultRequest, RenameFundRequest } from './funds.requests.js';
import { Funds } from './funds.service.js';
import { FundToChange, FundTable, NewFund } from './fund-parts.js';

const FUNDS = '/console/funds';

/** How a form was refused: what to show again, and with which status. */
interface Refusal {
  readonly state: FormState;
  readonly status: number;
  readonly code?: string;
}

/** The pages of funds. Auditors see them without forms. */
@PagesUnder('funds')
export class FundPages implements OnModuleInit {
  constructor(
    private readonly funds: Funds,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
    private readonly names: ShownNames,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Funds', to: FUNDS, letter: 'f', position: 63, roles: BOOK_READERS });
    this.names.add('fund', async () => new Map((await this.funds.list()).map(({ fundId, name }) => [fundId, name])));
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@CurrentCaller() { roles }: Caller): Promise<PageAnswer> {
    return showPage({
      title: 'Funds',
      ...(roles.has('Finance') && {
        actions: (
          <Link to={`${FUNDS}/new`} button hotkey="c">
            Add a fund
          </Link>
        ),
      }),
      content: <FundTable funds={await this.funds.list()} />,
    });
  }

  @Get('new')
  @Page('Finance')
  new(): PageAnswer {
    return showPage({ title: 'Add a fund', content: <NewFund state={NEW_FORM} /> });
  }

  @Post()
  @Page('Finance')
  async create(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(CreateFundRequest, sent);
    const refused = (state: FormState, status: number, code: string): PageAnswer =>
      showPage({ title: 'Add a fund', status, code, content: <NewFund state={state} /> });
    if (!reading.isValid) return refused(reading.state, 400, 'invalid_request');
    try {
      const { fundId, name } = await this.funds.create(reading.value.Name, actorOf(caller));
      return goTo(`${FUNDS}/${fundId}`, `${name} was added. Its FundId is ${fundId}.`);
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return refused(state, status, code);
    }
  }

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(@Param('id', PathIdPipe) fundId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return this.page(fundId, caller);
  }

  @Post(':id/rename')
  @Page('Finance')
  async rename(
    @Param('id', PathIdPipe) fundId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(RenameFundRequest, sent);
    if (!reading.isValid) {
      return this.page(fundId, caller, { state: reading.state, status: 400, code: 'invalid_request' });
    }
    const { Name: name, Was: was } = reading.value;
    try {
      await this.funds.rename({ fundId, name, was, by: actorOf(caller) });
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return this.page(fundId, caller, { state, status, code });
    }
    return goTo(`${FUNDS}/${fundId}`, `Fund ${fundId} is named ${name} now.`);
  }

  @Get(':id/close')
  @Page('Finance')
  async askToClose(@Param('id', PathIdPipe) fundId: number): Promise<PageAnswer> {
    const fund = await this.funds.show(fundId);
    return showPage({ title: `Close ${fund.name}?`, content: <AskToClose fund={fund} state={NEW_FORM} /> });
  }

  @Post(':id/close')
  @Page('Finance')
  async close(@Param('id', PathIdPipe) fundId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const { name } = await this.funds.setOpen({ fundId, open: false, by: actorOf(caller) });
    return goTo(`${FUNDS}/${fundId}`, `${name} is closed.`);
  }

  @Post(':id/open')
  @Page('Finance')
  async open(@Param('id', PathIdPipe) fundId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const { name } = await this.funds.setOpen({ fundId, open: true, by: actorOf(caller) });
    return goTo(`${FUNDS}/${fundId}`, `${name} is open.`);
  }

  @Get(':id/default')
  @Page('Finance')
  async askForDefault(@Param('id', PathIdPipe) fundId: number): Promise<PageAnswer> {
    return this.defaultQuestion(fundId);
  }

  @Post(':id/default')
  @Page('Finance')
  async makeDefault(
    @Param('id', PathIdPipe) fundId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(MakeFundDefaultRequest, sent);
    if (!reading.isValid) {
      return this.defaultQuestion(fundId, { state: reading.state, status: 400, code: 'invalid_request' });
    }
    try {
      const { name } = await this.funds.makeDefault(fundId, { was: reading.value.Was, by: actorOf(caller) });
      return goTo(`${FUNDS}/${fundId}`, `${name} is the default fund.`);
    } catch (error) {
      const { status, code, ...state } = this.forms.refused(reading.state, error);
      return this.defaultQuestion(fundId, { state, status, code });
    }
  }

  private async defaultQuestion(fundId: number, refusal?: Refusal): Promise<PageAnswer> {
    const fund = await this.funds.show(fundId);
    const present = (await this.funds.list()).find((one) => one.default);
    return showPage({
      title: `Make ${fund.name} the default?`,
      status: refusal?.status ?? 200,
      ...(refusal?.code !== undefined && { code: refusal.code }),
      content: <AskForDefault fund={fund} present={present} state={refusal?.state ?? NEW_FORM} />,
    });
  }

  private async page(fundId: number, { roles }: Caller, refusal?: Refusal): Promise<PageAnswer> {
    const fund = await this.funds.show(fundId);
    const present = (await this.funds.list()).find((one) => one.default);
    const seenName =
      refusal !== undefined && refusal.code !== FUND_CHANGED.code ? refusal.state.typed['Was'] : undefined;
    return showPage({
      title: fund.name,
      status: refusal?.status ?? 200,
      ...(refusal?.code !== undefined && { code: refusal.code }),
      content: (
        <FundToChange
          fund={fund}
          defaultFund={present}
          mayChange={roles.has('Finance')}
          renaming={refusal?.state ?? NEW_FORM}
          seenName={seenName ?? fund.name}
        />
      ),
    });
  }
}
