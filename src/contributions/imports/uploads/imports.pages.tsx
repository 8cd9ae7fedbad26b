import { Get, OnModuleInit, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page, UserAccounts } from '../../../auth/index.js';
import { FileOfRequest, PathIdPipe, type Query as Sent, type SentFile, TakesFile } from '../../../http/index.js';
import {
  FormReader,
  goTo,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  Pagination,
  SentForm,
  type ShownForm,
  showPage,
} from '../../../pages/index.js';
import type { ImportFile } from './files/import-file.entity.js';
import { UploadFile } from './files/upload-file.service.js';
import { MappingPage } from './mapping/mapping-page.service.js';
import { ListImportsRequest, UploadRequest } from './requests.js';
import { ImportFacts, ImportTable, REFRESH_SECONDS, RunningImport, UploadForm } from './showing/import-parts.js';
import { IMPORTS_PER_LIST } from './showing/import-view.js';
import { Imports } from './showing/imports.service.js';
import { outcomePage } from './showing/outcome-page.js';
import { resultFile } from './showing/result-download.js';

const IMPORT = '/console/import';

/** The pages on which Finance uploads a file and follows its import. Auditors see what was imported. */
@PagesUnder('import')
export class ImportPages implements OnModuleInit {
  constructor(
    private readonly imports: Imports,
    private readonly uploadFile: UploadFile,
    private readonly mappingPage: MappingPage,
    private readonly users: UserAccounts,
    private readonly forms: FormReader,
    private readonly navigation: Navigation,
  ) {}

  onModuleInit(): void {
    this.navigation.add({ label: 'Import', to: IMPORT, letter: 'i', position: 38, roles: BOOK_READERS });
  }

  @Get()
  @Page(...BOOK_READERS)
  async list(@Query() query: Sent, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    return this.listPage(caller, NEW_FORM, query);
  }

  @Post()
  @Page('Finance')
  @TakesFile()
  async upload(
    @SentForm() sent: Sent,
    @FileOfRequest() file: SentFile | undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(UploadRequest, sent);
    const faults = reading.isValid ? [] : reading.state.faults;
    if (file === undefined) {
      const state = { ...reading.state, faults: [{ field: 'file', message: 'must be chosen' }, ...faults] };
      return this.listPage(caller, { ...state, status: 400, code: 'invalid_request' });
    }
    if (!reading.isValid) return this.listPage(caller, { ...reading.state, status: 400, code: 'invalid_request' });
    const { user: username, source } = reading.value;
    try {
      const by = actorOf(caller);
      const importId = await this.uploadFile.upload({ file, name: file.name, username, source, by });
      return goTo(`${IMPORT}/${importId}`, `Import ${importId} was uploaded. Try it before its gifts are recorded.`);
    } catch (error) {
      return this.listPage(caller, this.forms.refused(reading.state, error));
    }
  }

  @Get(':id')
  @Page(...BOOK_READERS)
  async show(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const file = await this.imports.find(importId);
    if (file.state === 'checking' || file.state === 'booking') return runningPage(file);
    const seen = await this.imports.show(importId, actorOf(caller));
    const isFinance = caller.roles.has('Finance');
    if (isFinance && seen.state === 'new' && seen.forgottenAt === null) return this.mappingPage.show(seen, NEW_FORM);
    const earlier = seen.state === 'checked' ? await this.imports.bookedBefore(seen) : undefined;
    return outcomePage({ file: seen, isFinance, earlier });
  }

  @Get(':id/result')
  @Page(...BOOK_READERS)
  async result(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return resultFile(importId, await this.imports.result(importId, actorOf(caller)));
  }

  private async listPage(caller: Caller, state: ShownForm, query: Sent = {}): Promise<PageAnswer> {
    const reading = this.forms.read(ListImportsRequest, query);
    const found = await this.imports.list(reading.isValid ? reading.value.before : undefined);
    const last = found.at(-1);
    const isFinance = caller.roles.has('Finance');
    return showPage({
      title: 'Import',
      status: reading.isValid ? (state.status ?? 200) : 400,
      ...(state.code !== undefined && { code: state.code }),
      content: (
        <>
          {isFinance && (
            <section>
              <h2>Import a file of gifts</h2>
              <UploadForm usernames={await this.users.namesForGifts()} state={state} />
            </section>
          )}
          <section>
            <h2>Imports</h2>
            <ImportTable imports={found} />
            <Pagination
              to={IMPORT}
              query={{}}
              next={last !== undefined && found.length === IMPORTS_PER_LIST ? { before: last.id } : undefined}
              isLater={query['before'] !== undefined}
            />
          </section>
        </>
      ),
    });
  }
}

function runningPage(file: ImportFile): PageAnswer {
  return showPage({
    title: `Import ${file.id}`,
    refreshSeconds: REFRESH_SECONDS,
    content: (
      <>
        <ImportFacts file={file} />
        <RunningImport file={file} />
      </>
    ),
  });
}
