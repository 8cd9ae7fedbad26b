import { Get, OnModuleInit, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page } from '../../auth/index.js';
import { ExpectedError, PathIdPipe, type Query as Sent } from '../../http/index.js';
import {
  Confirmation,
  FormReader,
  type FormState,
  goTo,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  Pagination,
  PrintButton,
  SentForm,
  showPage,
} from '../../pages/index.js';
import { describeTotals } from '../ledger/index.js';
import { BundleExport } from './bundle-export.service.js';
import { bundleFile } from './bundle-file.js';
import { BUNDLES_PER_LIST, Bundles } from './bundles.service.js';
import { BundleFilterForm, BundleTable, inWords, TotalsInWords } from './bundle-parts.js';
import { CloseBundles } from './closing/close-bundles.service.js';
import { ClosingResults, TickedBundles } from './closing/closing-parts.js';
import { MAX_BUNDLES } from './closing/close-bundles.request.js';
import { closedInWords } from './closing/closed-in-words.js';
import { isHolding, tickedIn, ticksOf } from './closing/ticked-bundles.js';
import { ListBundlesRequest } from './list-bundles.request.js';

const BUNDLES = '/console/bundles';

/** The pages on which bundles are found and closed. Auditors see them without buttons that close. */
@PagesUnder('bundles')
export class BundlePages implements OnModuleInit {
  constructor(
    private readonly bundles: Bundles,
    private readonly bundleExport: BundleExport,
    private readonly closeBundles: CloseBundles,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Bundles', to: BUNDLES, letter: 'b', position: 33, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@Query() query: Sent, @CurrentCaller() { roles }: Caller): Promise<PageAnswer> {
    const reading = this.forms.read(ListBundlesRequest, query);
    const types = await this.bundles.types();
    const found = reading.isValid ? await this.bundles.list(reading.value) : [];
    const last = found.at(-1);
    const { status, from, to, user, bundleTypeId } = reading.state.typed;
    return showPage({
      title: 'Bundles',
      ...(!reading.isValid && { status: 400, code: 'invalid_request' }),
      actions: <PrintButton />,
      content: (
        <>
          <BundleFilterForm types={types} state={reading.state} />
          <BundleTable bundles={found} mayClose={roles.has('Finance')} isFiltered={Object.keys(query).length > 0} />
          <Pagination
            to={BUNDLES}
            query={{ status, from, to, user, bundleTypeId }}
            next={last !== undefined && found.length === BUNDLES_PER_LIST ? { before: last.bundleId } : undefined}
            isLater={query['before'] !== undefined}
          />
        </>
      ),
    });
  }

  /** Asks first. With `confirmed`, it closes those that still hold what was shown. */
  @Post('close')
  @Page('Finance')
  async closeTicked(@SentForm() sent: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const ticked = tickedIn(sent);
    if (ticked.length === 0) return goTo(BUNDLES, 'No bundle was ticked: tick those that agree with the bank.');
    if (ticked.length > MAX_BUNDLES)
      return goTo(BUNDLES, `${ticked.length} bundles were ticked: close at most ${MAX_BUNDLES} at once.`);
    if (sent['confirmed'] !== 'true') {
      return showPage({ title: 'Close bundles', content: <TickedBundles ticked={ticked} /> });
    }
    const by = actorOf(caller);
    const results = await this.closeBundles.close(
      ticked.map(({ bundleId, holds }) => ({ bundleId, by, isExpected: isHolding(holds) })),
    );
    const closed = results.flatMap((result) => (result instanceof ExpectedError ? [] : [result]));
    if (closed.length === results.length) {
      return goTo(BUNDLES, closedInWords(closed));
    }
    const bundles = await this.bundles.list({ ids: ticked.map(({ bundleId }) => bundleId) });
    return showPage({
      title: 'Some bundles stay open',
      status: 409,
      code: 'bundle_changed',
      content: <ClosingResults ticked={ticked} results={results} bundles={bundles} />,
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

  private async confirmation(
    bundleId: number,
    { status, code, ...state }: FormState & { readonly status?: number; readonly code?: string },
  ): Promise<PageAnswer> {
    const bundle = await this.bundles.show(bundleId);
    if (bundle.status === 'Closed') return goTo(`${BUNDLES}/${bundleId}`, `Bundle ${bundleId} is closed already.`);
    return showPage({
      title: `Close bundle ${bundleId}`,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      content: (
        <Confirmation
          to={`${BUNDLES}/${bundleId}/close`}
          fields={{ holds: describeTotals(bundle.totals) }}
          button={`Close bundle ${bundleId} for ever`}
          back={`${BUNDLES}/${bundleId}`}
          state={state}
        >
          <p>
            {inWords(bundle)} holds <TotalsInWords totals={bundle.totals} />. Compare it with the bank.
          </p>
          <p>
            It can never change or be opened again. What is taken back later is subtracted in another bundle. If a gift
            is added before you confirm, the bundle stays open.
          </p>
        </Confirmation>
      ),
    });
  }
}
