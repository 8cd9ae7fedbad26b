import type { Church } from '../../../../config/index.js';
import type { FormState } from '../../../../pages/index.js';
import type { FundView } from '../../../funds/index.js';
import type { FoundTable } from '../files/found-table.js';
import type { ImportFile } from '../files/import-file.entity.js';
import type { CurrentChoices } from './column-choices.js';

/** What the form of a mapping shows. */
export interface MappingFormProps {
  readonly file: ImportFile;
  readonly found: FoundTable;
  readonly usernames: readonly string[];
  readonly funds: readonly FundView[];
  readonly church: Church;
  readonly state: FormState;
}

/** The same, with what the mapping means now. */
export type WithChoices = MappingFormProps & { readonly current: CurrentChoices };
