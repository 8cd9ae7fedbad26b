import { Get, OnModuleInit, Query } from '@nestjs/common';
import { BOOK_READERS, type Caller, CurrentCaller, Page } from '../../../../auth/index.js';
import type { Query as Sent } from '../../../../http/index.js';
import {
  FormReader,
  type FormState,
  Navigation,
  type PageAnswer,
  PagesUnder,
  Pagination,
  PrintButton,
  showPage,
} from '../../../../pages/index.js';
import { DEPOSITS_PER_LIST } from '../../showing/deposit-details.js';
import { Deposits } from '../../showing/deposits.service.js';
import { ListDepositsRequest } from '../../showing/showing.requests.js';
import { Undeposited } from '../../showing/undeposited.service.js';
import { DEPOSITS } from '../shared/deposit-words.js';
import { DepositActions, DepositFilterForm, DepositHelp, DepositTable } from './deposit-list-parts.js';
import { PayoutsWithoutDeposit } from './payout-parts.js';

/** So many payouts are shown, so that their form stays small enough to be read. */
const PAYOUTS_SHOWN = 100;

/** The list of deposits, and above it the payouts of which deposits are to be made. */
@PagesUnder('deposits')
export class DepositListPages implements OnModuleInit {
  constructor(
    private readonly deposits: Deposits,
    private readonly undeposited: Undeposited,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Deposits', to: DEPOSITS, letter: 'd', position: 36, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@Query() query: Sent, @CurrentCaller() { roles }: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(ListDepositsRequest, query);
    const found = reading.isValid ? await this.deposits.list(reading.value) : [];
    const filter = filterOf(reading.state);
    const [isLater, isFiltered] = [query['before'] !== undefined, Object.values(filter).some((value) => value !== '')];
    // A filter asks for deposits.
    const payouts = isFiltered || isLater ? [] : await this.undeposited.payouts({});
    const mayChange = roles.has('Finance');
    const { deposits: toCompare } = mayChange ? await this.deposits.toCompare() : { deposits: [] };
    const isEmpty = found.length === 0 && reading.isValid && !isFiltered && !isLater;
    return showPage({
      title: 'Deposits',
      ...(!reading.isValid && { status: 400, code: 'invalid_request' }),
      actions: (
        <>
          {mayChange && <DepositActions toCompare={toCompare} hasPayouts={payouts.length > 0} />}
          <PrintButton />
        </>
      ),
      content: (
        <>
          <PayoutsWithoutDeposit
            payouts={payouts.slice(0, PAYOUTS_SHOWN)}
            more={payouts.length > PAYOUTS_SHOWN}
            mayMake={mayChange}
          />
          {!isEmpty && <DepositFilterForm state={reading.state} />}
          <DepositTable deposits={found} isFiltered={isFiltered || isLater} />
          <Pagination
            to={DEPOSITS}
            query={filter}
            next={found.length === DEPOSITS_PER_LIST ? { before: found.at(-1)?.id ?? 0 } : undefined}
            isLater={isLater}
          />
          <DepositHelp />
        </>
      ),
    });
  }
}

/** The filters that were typed. The query may also have a message. */
function filterOf({ typed }: FormState): FormState['typed'] {
  const { status = '', source = '', from = '', to = '' } = typed;
  return { status, source, from, to };
}
