import type { Church } from '../../../../config/index.js';
import { ExpectedError, type FieldFault, type Query } from '../../../../http/index.js';
import { foldColumn } from '../../files/field-names.js';
import { isObject, type Mapping, type MappingObject, readMappingObject } from '../../files/mapping.js';
import { FORMATS, formatNamed } from '../../formats/formats.js';
import type { FoundTable } from '../files/found-table.js';
import {
  ALL_CHOICES,
  type ChosenColumn,
  CONDITION,
  type CurrentChoices,
  currentChoices,
  entryOf,
  type Meaning,
  MEANINGS,
} from './column-choices.js';
import { FormTexts } from './form-texts.js';
import type { ImportOptions } from './import-options.js';
import { readRepeats } from './repeats-choice.js';

/** The name of the field of a column's choice, and of what its values mean. */
export const columnField = (column: number): string => `column-${column}`;
export const valueField = (column: number, value: number): string => `value-${column}-${value}`;

/** The keys of `file` that the form has, and how a text becomes their value. */
export const FILE_KEYS = ['dates', 'timeZone', 'amounts', 'encoding', 'separator', 'skipLines', 'footer'] as const;

/** The form, read: the options that it means, and what is wrong with it. */
interface ReadForm {
  readonly options: ImportOptions;
  readonly faults: readonly FieldFault[];
  /** Whether another format was chosen. The other fields were not read then, because they belong to the format before. */
  readonly isOtherFormat: boolean;
}

/** Reads the form of a mapping. @param options those that the form has shown. */
export function readMappingForm(sent: Query, found: FoundTable, options: ImportOptions, church: Church): ReadForm {
  const texts = new FormTexts(sent);
  const common = {
    username: texts.of('user') ?? options.username,
    source: texts.of('source') ?? null,
    withoutContacts: texts.of('withoutContacts') === 'true',
  };
  const named = texts.of('format');
  const format = FORMATS.some(({ name }) => name === named) ? (named ?? null) : null;
  if (format !== options.format) {
    // What was found about the lines and the encoding holds for any format. Columns are proposed for the found one only.
    const { file, ...columns } = found.mapping;
    const mapping = { ...(format === found.format ? columns : {}), ...(file !== undefined && { file }) };
    return { options: { ...common, format, mapping }, faults: [], isOtherFormat: true };
  }
  const faults: FieldFault[] = [];
  const json = texts.of('json');
  const mapping =
    json === undefined
      ? mappingOfFields(texts, { found, options, church, faults })
      : readJson(json, options.mapping, faults);
  return { options: { ...common, format, mapping }, faults, isOtherFormat: false };
}

function readJson(json: string, before: MappingObject, faults: FieldFault[]): MappingObject {
  try {
    return readMappingObject(Buffer.from(json));
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    faults.push({ field: 'json', message: 'must be one JSON object without repeated names' });
    return before;
  }
}

interface FormBefore {
  readonly found: FoundTable;
  readonly options: ImportOptions;
  readonly church: Church;
  readonly faults: FieldFault[];
}

function mappingOfFields(texts: FormTexts, before: FormBefore): MappingObject {
  const { found, options, church, faults } = before;
  const shown = currentChoices(found, options, church);
  const chosen = found.columns.map(({ values }, column) => {
    const now = shown.columns[column] ?? { choice: '', meanings: [] };
    return chosenColumn(texts, column, values, now);
  });
  chosen.forEach((column, index) => {
    // What is shown already was decided by the format, or by a person.
    const isSame = column.choice !== '' && JSON.stringify(column) === JSON.stringify(shown.columns[index]);
    const fault = isSame ? undefined : faultOf(column, index, chosen, found);
    if (fault !== undefined) faults.push({ field: columnField(index), message: fault });
  });
  return {
    ...entriesOf(chosen, before),
    ...conditionsOf(chosen, shown, before),
    ...section('defaults', defaultsOf(texts, options.mapping, church)),
    ...section('file', fileOf(texts, options)),
  };
}

function chosenColumn(texts: FormTexts, column: number, values: readonly string[], now: ChosenColumn): ChosenColumn {
  const sent = texts.sent(columnField(column));
  const isKnown = sent === '' || ALL_CHOICES.some(([value]) => value === sent);
  const meanings = values.map((_value, index): Meaning => {
    const meaning = texts.of(valueField(column, index));
    return MEANINGS.find((known) => known === meaning) ?? now.meanings[index] ?? 'left out';
  });
  return { choice: isKnown && sent !== undefined ? sent : now.choice, meanings };
}

function faultOf(
  { choice, meanings }: ChosenColumn,
  index: number,
  all: readonly ChosenColumn[],
  { columns }: FoundTable,
): string | undefined {
  if (choice === '') return 'must be decided';
  if (choice === CONDITION) {
    if (meanings.length === 0) return 'has too many values to decide which rows are gifts';
    return meanings.includes('gift')
      ? undefined
      : 'must have a value that means a gift: say below what each value means';
  }
  const other = all.findIndex((column) => entryKey(column.choice) === entryKey(choice));
  if (other === index || choice === 'ignore') return undefined;
  return `is read as the same as “${columns[other]?.name ?? ''}”: choose one of them`;
}

/** Equal for choices of which a file can have one. */
function entryKey(choice: string): string {
  return choice.startsWith('name: ') ? 'name' : choice;
}

/** The entries of the columns: all, or with a format those that differ from it. */
function entriesOf(chosen: readonly ChosenColumn[], { found, options, church }: FormBefore): MappingObject {
  const { file } = options.mapping;
  const ofFormat =
    options.format === null
      ? undefined
      : currentChoices(found, { ...options, mapping: file === undefined ? {} : { file } }, church);
  const entries = chosen.flatMap(({ choice }, index): [string, unknown][] => {
    const isAsInFormat = ofFormat?.columns[index]?.choice === choice;
    if (choice === '' || choice === CONDITION || isAsInFormat) return [];
    return [[nameInMapping(found.columns[index]?.name ?? '', ofFormat?.mapping), entryOf(choice)]];
  });
  return Object.fromEntries(entries);
}

/** A column may have another name in the file than in the format. */
function nameInMapping(name: string, format: Mapping | undefined): string {
  return format?.otherNames.get(foldColumn(name)) ?? name;
}

/** The conditions of all columns. If one has changed, all are written, because each key replaces that of the format. */
function conditionsOf(
  chosen: readonly ChosenColumn[],
  { columns: shown, mapping }: CurrentChoices,
  { found, options }: FormBefore,
): MappingObject {
  const isCondition = (column: ChosenColumn | undefined): boolean => column?.choice === CONDITION;
  const isSame = (index: number): boolean => JSON.stringify(chosen[index]) === JSON.stringify(shown[index]);
  const matters = chosen.flatMap((column, index) => (isCondition(column) || isCondition(shown[index]) ? [index] : []));
  if (matters.every(isSame)) return asBefore(options.mapping, ['only', 'refunds', 'leaveOut', 'lost']);
  const only: Record<string, readonly string[]> = {};
  const refunds: Record<string, readonly string[]> = {};
  const leaveOut: Record<string, readonly string[]> = {};
  for (const index of matters) {
    const { choice, meanings } = chosen[index] ?? { choice: '', meanings: [] };
    if (choice !== CONDITION) continue;
    const { name: inFile = '', values = [] } = found.columns[index] ?? {};
    const name = nameInMapping(inFile, mapping);
    const shownValues = new Set(values.map(foldColumn));
    // A format knows values that this file does not have.
    const valuesOf = (condition: Mapping['only'], meaning: Meaning): string[] => {
      const known = [...(condition.get(foldColumn(name))?.values ?? [])];
      if (isSame(index)) return known;
      const others = known.filter((value) => !shownValues.has(value));
      return [...values.filter((_value, i) => meanings[i] === meaning), ...others];
    };
    const [gifts, refunded] = [valuesOf(mapping.only, 'gift'), valuesOf(mapping.refunds, 'refund')];
    if (gifts.length > 0) only[name] = gifts;
    if (refunded.length > 0) refunds[name] = refunded;
    // Another value that is further down in the file is refused, unless the column was chosen without this rule.
    if (!isSame(index) || mapping.leaveOut.has(foldColumn(name)))
      leaveOut[name] = valuesOf(mapping.leaveOut, 'left out');
  }
  return {
    ...section('only', only),
    ...section('refunds', refunds),
    ...section('leaveOut', leaveOut),
    ...asBefore(options.mapping, ['lost']),
  };
}

/** Keys of the mapping that the form does not change. */
function asBefore(mapping: MappingObject, keys: readonly string[]): MappingObject {
  return Object.fromEntries(keys.flatMap((key) => (mapping[key] === undefined ? [] : [[key, mapping[key]]])));
}

function defaultsOf(texts: FormTexts, { defaults }: MappingObject, church: Church): Record<string, unknown> {
  const before: Record<string, unknown> = isObject(defaults) ? { ...defaults } : {};
  delete before['FundId'];
  delete before['Currency'];
  const fundId = texts.of('fundId');
  return {
    ...before,
    ...(fundId !== undefined && /^[1-9]\d{0,8}$/.test(fundId) && { FundId: Number(fundId) }),
    ...(texts.of('ownCurrency') === 'true' && { Currency: church.currency }),
  };
}

/** How the file writes its table: what differs from the format. */
function fileOf(texts: FormTexts, { format, mapping }: ImportOptions): Record<string, unknown> {
  const ofFormat = format === null ? {} : formatNamed(format).mapping['file'];
  const own: Readonly<Record<string, unknown>> = isObject(ofFormat) ? { ...ofFormat } : {};
  const entries = FILE_KEYS.flatMap((key): [string, unknown][] => {
    const text = texts.of(key);
    if (text === undefined) return [];
    const isCount = key === 'skipLines' || key === 'footer';
    const number = isCount && /^\d{1,3}$/.test(text) ? Number(text) : text;
    const value = key === 'separator' && text === 'tab' ? '\t' : number;
    // A mapping may have either name.
    const name = key === 'timeZone' && 'zone' in own ? 'zone' : key;
    return own[name] === value ? [] : [[name, value]];
  });
  return { ...readRepeats(texts.of('repeats'), mapping, own), ...Object.fromEntries(entries) };
}

function section(key: string, content: object): MappingObject {
  return Object.keys(content).length === 0 ? {} : { [key]: content };
}
