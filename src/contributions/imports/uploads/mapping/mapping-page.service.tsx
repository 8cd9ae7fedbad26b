import { Injectable } from '@nestjs/common';
import { UserAccounts } from '../../../../auth/index.js';
import { Church } from '../../../../config/index.js';
import { goTo, Link, type PageAnswer, type ShownForm, showPage } from '../../../../pages/index.js';
import { Funds } from '../../../funds/index.js';
import type { ImportFile } from '../files/import-file.entity.js';
import { ImportFacts, ProblemOfImport } from '../showing/import-parts.js';
import { MappingForm } from './mapping-parts.js';

/** Makes the page with the mapping of a file. */
@Injectable()
export class MappingPage {
  constructor(
    private readonly users: UserAccounts,
    private readonly funds: Funds,
    private readonly church: Church,
  ) {}

  /** @param state what was typed, and what is wrong with it. */
  async show(file: ImportFile, { status, code, ...state }: ShownForm): Promise<PageAnswer> {
    const { id, found, problem } = file;
    if (found === null) return goTo(`/console/import/${id}`, 'The content of this import was deleted.');
    const usernames = await this.users.namesForGifts();
    const funds = await this.funds.list();
    return showPage({
      title: `Import ${id}`,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      actions: (
        <Link to={`/console/import/${id}/forget`} button>
          Delete the content…
        </Link>
      ),
      content: (
        <>
          <ImportFacts file={file} />
          <ProblemOfImport problem={problem} />
          <MappingForm {...{ file, found, usernames, funds, church: this.church, state }} />
        </>
      ),
    });
  }
}
