import { Get, OnModuleInit, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { actorOf, BOOK_READERS, type Caller, CurrentCaller, Page, UserAccounts } from '../../../auth/index.js';
import { Church } from '../../../config/index.js';
import { FileOfRequest, PathIdPipe, type Query as Sent, type SentFile, TakesFile } from '../../../http/index.js';
import {
  Confirmation,
  FormReader,
  type FormState,
  goTo,
  Link,
  Navigation,
  NEW_FORM,
  type PageAnswer,
  PagesUnder,
  Pagination,
  PrintButton,
  SentForm,
  showPage,
} from '../../../pages/index.js';
import { Funds } from '../../funds/index.js';
import { ForgetFiles, KEPT_DAYS } from './files/forget-files.service.js';
import type { ImportFile } from './files/import-file.entity.js';
import { UploadFile } from './files/upload-file.service.js';
import { readMappingForm } from './mapping/mapping-form.js';
import { MappingForm } from './mapping/mapping-parts.js';
import { BookImportRequest, ListImportsRequest, UploadRequest } from './requests.js';
import { StartRun } from './running/start-run.service.js';
import {
  grouped,
  ImportFacts,
  ImportTable,
  OutcomeFacts,
  REFRESH_SECONDS,
  RowsAndTotal,
  RunningImport,
  SomeRows,
  UploadForm,
} from './showing/import-parts.js';
import { IMPORTS_PER_LIST, Imports } from './showing/imports.service.js';
import { resultFile } from './showing/result-download.js';

const IMPORT = '/console/import';

type RefusedState = FormState & { readonly status?: number; readonly code?: string };

/** The pages on which Finance imports a file. Auditors see what was imported. */
@PagesUnder('import')
export class ImportPages implements OnModuleInit {
  constructor(
    private readonly imports: Imports,
    private readonly uploadFile: UploadFile,
    private readonly startRun: StartRun,
    private readonly forgetFiles: ForgetFiles,
    private readonly users: UserAccounts,
    private readonly funds: Funds,
    private readonly church: Church,
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
      return goTo(`${IMPORT}/${importId}`, `Import ${importId} is uploaded. Nothing of it is recorded yet.`);
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
    if (isFinance && seen.state === 'new' && seen.forgottenAt === null) return this.mappingPage(seen, NEW_FORM);
    return this.outcomePage(seen, isFinance);
  }

  @Get(':id/mapping')
  @Page('Finance')
  async mapping(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    const file = await this.imports.show(importId, actorOf(caller));
    if (file.state !== 'new' && file.state !== 'checked') return goTo(`${IMPORT}/${importId}`);
    return this.mappingPage(file, NEW_FORM);
  }

  @Post(':id/check')
  @Page('Finance')
  async check(
    @Param('id', PathIdPipe) importId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const by = actorOf(caller);
    const file = await this.imports.find(importId);
    const path = `${IMPORT}/${importId}`;
    if (file.found === null) return goTo(path, 'The content of this import was deleted.');
    const { options, faults, isOtherFormat } = readMappingForm(sent, file.found, file.options, this.church);
    const typed = Object.fromEntries(
      Object.entries(sent).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    if (faults.length > 0) {
      return this.mappingPage(file, { typed, faults, status: 400, code: 'invalid_request' });
    }
    try {
      if (isOtherFormat) {
        await this.startRun.choose(importId, options);
        return goTo(`${path}/mapping`, 'Look at the columns again: they are read in another way now.');
      }
      await this.startRun.check(importId, options, by);
      return goTo(path);
    } catch (error) {
      return this.mappingPage({ ...file, options }, this.forms.refused({ typed, faults }, error));
    }
  }

  @Get(':id/book')
  @Page('Finance')
  async confirm(@Param('id', PathIdPipe) importId: number): Promise<PageAnswer> {
    return this.confirmation(await this.imports.find(importId), NEW_FORM);
  }

  @Post(':id/book')
  @Page('Finance')
  async book(
    @Param('id', PathIdPipe) importId: number,
    @SentForm() sent: Sent,
    @CurrentCaller() caller: Caller,
  ): Promise<PageAnswer> {
    const reading = this.forms.read(BookImportRequest, sent);
    if (!reading.isValid) return this.confirmation(await this.imports.find(importId), NEW_FORM);
    try {
      await this.startRun.book(importId, reading.value.Revision, actorOf(caller));
    } catch (error) {
      return this.confirmation(await this.imports.find(importId), this.forms.refused(NEW_FORM, error));
    }
    return goTo(`${IMPORT}/${importId}`);
  }

  @Get(':id/result')
  @Page(...BOOK_READERS)
  async result(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    return resultFile(importId, await this.imports.result(importId, actorOf(caller)));
  }

  @Get(':id/forget')
  @Page('Finance')
  async confirmForgetting(@Param('id', PathIdPipe) importId: number): Promise<PageAnswer> {
    const { forgottenAt } = await this.imports.find(importId);
    const path = `${IMPORT}/${importId}`;
    if (forgottenAt !== null) return goTo(path, 'The content is deleted already.');
    return showPage({
      title: `Delete the content of import ${importId}`,
      content: (
        <Confirmation to={`${path}/forget`} button="Delete the content" back={path}>
          <p>
            The file, its result and all names in it are deleted for ever. The gifts that it recorded stay in the books,
            and this import stays in the list with its figures. By itself this happens {KEPT_DAYS} days after the
            upload.
          </p>
        </Confirmation>
      ),
    });
  }

  @Post(':id/forget')
  @Page('Finance')
  async forget(@Param('id', PathIdPipe) importId: number, @CurrentCaller() caller: Caller): Promise<PageAnswer> {
    await this.forgetFiles.forget(importId, actorOf(caller));
    return goTo(`${IMPORT}/${importId}`, `The content of import ${importId} is deleted.`);
  }

  private async listPage(caller: Caller, state: RefusedState, query: Sent = {}): Promise<PageAnswer> {
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
              <UploadForm usernames={await this.users.activeNames()} state={state} />
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

  private async mappingPage(file: ImportFile, { status, code, ...state }: RefusedState): Promise<PageAnswer> {
    const { id, found, problem } = file;
    if (found === null) return goTo(`${IMPORT}/${id}`, 'The content of this import was deleted.');
    const usernames = await this.users.activeNames();
    const funds = await this.funds.list();
    return showPage({
      title: `Import ${id}`,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      actions: (
        <Link to={`${IMPORT}/${id}/forget`} button>
          Delete the content…
        </Link>
      ),
      content: (
        <>
          <ImportFacts file={file} />
          {problem !== null && (
            <div class="refusal" role="alert">
              {problem}
            </div>
          )}
          <MappingForm {...{ file, found, usernames, funds, church: this.church, state }} />
        </>
      ),
    });
  }

  private async outcomePage(file: ImportFile, isFinance: boolean): Promise<PageAnswer> {
    const { id, state, outcome, problem, forgottenAt } = file;
    const path = `${IMPORT}/${id}`;
    const isKept = forgottenAt === null;
    const earlier = state === 'checked' ? await this.imports.bookedBefore(file) : undefined;
    return showPage({
      title: `Import ${id}`,
      actions: (
        <>
          {isFinance && isKept && (state === 'checked' || state === 'stopped') && (
            <Link to={`${path}/book`} button hotkey="b">
              {state === 'stopped' ? 'Continue…' : 'Book…'}
            </Link>
          )}
          {isFinance && isKept && state === 'checked' && (
            <Link to={`${path}/mapping`} button hotkey="e">
              Read it in another way
            </Link>
          )}
          {isKept && outcome !== null && (
            <Link to={`${path}/result`} button hotkey="d" download>
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
      ),
      content: (
        <>
          <ImportFacts file={file} />
          {problem !== null && (
            <div class="refusal" role="alert">
              {problem}
            </div>
          )}
          {earlier !== undefined && (
            <div class="caution">
              <p>
                The same file was booked as <Link to={`${IMPORT}/${earlier}`}>import {earlier}</Link>. Rows that are
                recorded stay recorded once.
              </p>
            </div>
          )}
          {outcome !== null && state !== 'stopped' && (
            <>
              {state === 'checked' && <p>Nothing is recorded yet. This is what would be recorded:</p>}
              <OutcomeFacts outcome={outcome} isBooked={state === 'booked'} />
            </>
          )}
          <SomeRows file={file} />
        </>
      ),
    });
  }

  private confirmation(file: ImportFile, { status, code, ...state }: RefusedState): PageAnswer {
    const { id, revision, outcome, options, state: now, forgottenAt } = file;
    const path = `${IMPORT}/${id}`;
    if (outcome === null || forgottenAt !== null || (now !== 'checked' && now !== 'stopped')) return goTo(path);
    return showPage({
      title: `Book import ${id}`,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      content: (
        <Confirmation
          to={`${path}/book`}
          fields={{ Revision: String(revision) }}
          button={now === 'stopped' ? `Continue import ${id}` : `Book import ${id}`}
          back={path}
          state={state}
        >
          <p>
            <RowsAndTotal outcome={outcome} /> would be recorded for {options.username}, in the bundles of today.
            {outcome.refused > 0 && ` ${grouped(outcome.refused)} refused rows are not recorded.`}
            {outcome.reversed > 0 && ` ${grouped(outcome.reversed)} gifts are taken back, and Finance is notified.`}
            {outcome.newPeople > 0 && ` ${grouped(outcome.newPeople)} persons are created.`}
          </p>
          <p>
            Gifts cannot be deleted afterwards, only taken back one by one. If something else was recorded since the
            file was tried, the figures may differ: each row is recorded once in any case.
          </p>
        </Confirmation>
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
