import {
  fieldReader,
  filterId,
  flag,
  IgnoresNothing,
  OptionalField,
  RequiredField,
  text,
} from '../../../http/index.js';
import { fault, read } from '../../../values/index.js';
import { isObject, type MappingObject } from '../files/mapping.js';
import { MAX_FILE_NAME } from './files/import-file.entity.js';
import { FORMATS } from '../formats/formats.js';

const USER = {
  description: 'The user who adds the gifts. They go into this user’s bundles.',
  examples: ['txt2give'],
} as const;
const SOURCE = { description: 'The channel of rows that name none.', examples: ['txt2give'] } as const;

/** The query of UploadImport, and the form of the page. */
export class UploadRequest {
  @RequiredField(text(100), USER)
  user!: string;

  @OptionalField(text(100), SOURCE)
  source?: string;

  @OptionalField(text(MAX_FILE_NAME), { description: 'The name of the file, for people.', examples: ['july.csv'] })
  name?: string;
}

/** The query of ListImports. */
export class ListImportsRequest {
  @OptionalField(filterId, { description: 'Only imports with a lower id: for the next page.', examples: [8] })
  before?: number;
}

const FORMAT_NAMES = FORMATS.map(({ name }) => name);

const mapping = Object.assign(
  fieldReader<MappingObject>({ type: 'object' }, (value) =>
    isObject(value) ? read(value as MappingObject) : fault('must be an object'),
  ),
  { acceptsObjects: true },
);

const format = fieldReader<string>({ type: 'string', enum: ['none', ...FORMAT_NAMES] }, (value) =>
  value === 'none' || FORMAT_NAMES.some((name) => name === value)
    ? read(String(value))
    : fault(`must be none, ${FORMAT_NAMES.slice(0, -1).join(', ')} or ${FORMAT_NAMES.at(-1) ?? ''}`),
);

/** The body of CheckImport. Fields that are not sent stay as they are. */
@IgnoresNothing()
export class CheckImportRequest {
  @OptionalField(text(100), USER)
  User?: string;

  @OptionalField(text(100), SOURCE)
  Source?: string;

  @OptionalField(format, { description: 'A built-in format, or none.', examples: ['stripe'] })
  Format?: string;

  @OptionalField(mapping, {
    description: 'As in the mapping file of the command line. With a format, what differs from it.',
    examples: [{ Donor: { name: 'First Last' }, Gift: 'Amount' }],
  })
  Mapping?: MappingObject;

  @OptionalField(flag, { description: 'Whether rows may lack e-mail and phone.', examples: [true] })
  WithoutContacts?: boolean;
}

/** The body of BookImport. */
@IgnoresNothing()
export class BookImportRequest {
  @RequiredField(filterId, { description: 'The `revision` of the dry run that you have seen.', examples: [1] })
  Revision!: number;
}
