import { Get, OnModuleInit, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../auth/index.js';
import { ExpectedError, PathIdPipe, type Query as Sent } from '../../http/index.js';
import {
  Confirmation,
  Day,
  Facts,
  FormReader,
  goTo,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  PrintButton,
  SentForm,
  type ShownForm,
  shownRows,
  showPage,
} from '../../pages/index.js';
import { describeTotals } from '../ledger/index.js';
import { BundleRemarks } from './bundle-remarks.service.js';
import { BundleExport } from './bundle-export.service.js';
import { bundleFile } from './bundle-file.js';
import { Bundles } from './bundles.service.js';
import { BundleList } from './bundle-list.js';
import { RemarksOfBundle, TotalsInWords } from './bundle-parts.js';
import { CloseBundles } from './closing/close-bundles.service.js';
import { ClosingResults, TickedBundles } from './closing/closing-parts.js';
import { MAX_BUNDLES } from './closing/close-bundles.request.js';
import { closedInWords } from './closing/closed-in-words.js';
import { isHolding, tickedIn, ticksOf } from './closing/ticked-bundles.js';
import { ListBundlesRequest } from './list-bundles.request.js';
import { listOf, SHOWN_STATUSES, shownFilter } from './shown-bundles.js';

const BUNDLES = '/console/bundles';

/** The pages on which bundles are found and closed. Auditors see them without buttons that close. */
@PagesUnder('bundles')
export class BundlePages implements OnModuleInit {
  constructor(
    private readonly bundles: Bundles,
    private readonly bundleExport: BundleExport,
    private readonly closeBundles: CloseBundles,
    private readonly remarks: BundleRemarks,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Bundles', to: BUNDLES, letter: 'b', position: 33, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@Query() query: Sent, @CurrentCaller() { roles }: Caller): Promise<PageAnswer> {
    const filter = shownFilter(query);
    const isAll = filter.status === SHOWN_STATUSES.all;
    const { before = '' } = query;
    const reading = this.forms.read(ListBundlesRequest, { ...filter, before, ...(isAll && { status: '' }) });
    const found = reading.isValid ? await this.bundles.list(reading.value) : [];
    const count = reading.isValid ? await this.bundles.count(reading.value) : undefined;
    return showPage({
      title: 'Bundles',
      ...(!reading.isValid && { status: 400, code: 'invalid_request' }),
      actions: <PrintButton />,
      content: (
        <BundleList
          filter={filter}
          state={{ ...reading.state, typed: filter }}
          types={await this.bundles.types()}
          bundles={found}
          rows={shownRows(query, found.length)}
          count={count}
          isLater={before !== ''}
          mayClose={roles.has('Finance')}
        />
      ),
    });
  }

  /** Asks first. With `confirmed`, it closes those that still hold what was shown. */
  @Post('close')
  @Page('Finance')
  async closeTicked(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const [ticked, list] = [tickedIn(sent), listOf(sent)];
    if (ticked.length === 0) return goTo(list, 'No bundle was ticked: tick those that agree with the bank.');
    if (ticked.length > MAX_BUNDLES)
      return goTo(list, `${ticked.length} bundles were ticked: close at most ${MAX_BUNDLES} at once.`);
    const ids = ticked.map(({ bundleId }) => bundleId);
    if (sent['confirmed'] !== 'true') {
      const bundles = await this.bundles.list({ ids });
      return showPage({
        title: 'Close bundles',
        content: <TickedBundles ticked={ticked} bundles={bundles} list={list} remarks={await this.remarks.of(ids)} />,
      });
    }
    const by = actorOf(caller);
    const results = await this.closeBundles.close(
      ticked.map(({ bundleId, holds }) => ({ bundleId, by, isExpected: isHolding(holds) })),
    );
    const closed = results.flatMap((result) => (result instanceof ExpectedError ? [] : [result]));
    if (closed.length === results.length) {
      return goTo(list, closedInWords(closed));
    }
    const bundles = await this.bundles.list({ ids });
    return showPage({
      title: 'Some bundles stay open',
      status: 409,
      code: 'bundle_changed',
      content: <ClosingResults ticked={ticked} results={results} bundles={bundles} list={list} />,
    });
  }

  @Get(':id/export')
  @Page(...BOOK_READERS)
  async export(@Param('id', PathIdPipe) bundleId: number, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return bundleFile(bundleId, await this.bundleExport.csv(bundleId, actorOf(caller)));
  }

  @Get(':id/close')
  @Page('Finance')
  async confirm(@Param('id', PathIdPipe) bundleId: number): Promise<PageAnswer> {
    return this.confirmation(bundleId, NEW_FORM);
  }

  @Post(':id/close')
  @Page('Finance')
  async close(
    @Param('id', PathIdPipe) bundleId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const [ticked] = ticksOf(bundleId, sent);
    if (ticked === undefined) return this.confirmation(bundleId, NEW_FORM);
    try {
      const isExpected = isHolding(ticked.holds);
      const { totals } = await this.bundles.close({ bundleId, by: actorOf(caller), isExpected });
      return goTo(`${BUNDLES}/${bundleId}`, `Bundle ${bundleId} is closed with ${describeTotals(totals)}.`);
    } catch (error) {
      return this.confirmation(bundleId, this.forms.refused(NEW_FORM, error));
    }
  }

  private async confirmation(bundleId: number, { status, code, ...state }: ShownForm): Promise<PageAnswer> {
    const bundle = await this.bundles.show(bundleId);
    if (bundle.status === 'Closed') return goTo(`${BUNDLES}/${bundleId}`, `Bundle ${bundleId} is closed already.`);
    const remarks = await this.remarks.of([bundleId]);
    return showPage({
      title: `Close bundle ${bundleId}`,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      content: (
        <Confirmation
          to={`${BUNDLES}/${bundleId}/close`}
          fields={{ holds: describeTotals(bundle.totals) }}
          button={`Close bundle ${bundleId} permanently`}
          back={`${BUNDLES}/${bundleId}`}
          state={state}
        >
          <Facts
            facts={[
              ['Day', <Day key="day" value={bundle.day} />],
              ['Recorded by', bundle.user],
              ['Kind', bundle.bundleType],
              ['Contains', <TotalsInWords key="contains" totals={bundle.totals} />],
            ]}
          />
          <RemarksOfBundle remarks={remarks.get(bundleId) ?? []} />
          <p>Compare it with the bank.</p>
          <p>
            It can never change or be opened again. What is taken back later is subtracted in another bundle. If a gift
            is added before you confirm, the bundle stays open.
          </p>
        </Confirmation>
      ),
    });
  }
}
