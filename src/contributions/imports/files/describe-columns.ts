import { quoted } from '../import-error.js';
import type { Columns, RowCondition } from './columns.js';
import { foldColumn } from './field-names.js';

/** Describes how columns are read and which are ignored, so that the user can check it. */
export function describeColumns(header: readonly string[], columns: Columns): string {
  const { fields, defaults, only, refunds, leaveOut, lost } = columns;
  const read = header.flatMap((name, index) => {
    const field = fields[index];
    if (field === undefined) return [];
    return [foldColumn(name) === foldColumn(field) ? field : `${quoted(name)} as ${field}`];
  });
  const isCondition = (index: number): boolean =>
    [...only, ...refunds, ...leaveOut].some((condition) => condition.index === index);
  const ignored = header.filter((_name, index) => fields[index] === undefined && !isCondition(index)).map(quoted);
  const values = Object.entries(defaults).map(([field, value]) => `${field} ${quoted(String(value))}`);
  return [
    `Reads ${read.join(', ')}.`,
    ...(values.length > 0 ? [`For blank fields: ${values.join(', ')}.`] : []),
    ...only.map((condition) => onlyInWords(header, condition, columns)),
    ...refunds.map((condition) => `Takes gifts back where ${inWords(header, condition)}.`),
    ...lost.map((condition) => `Takes the disputed amount back where ${inWords(header, condition)}.`),
    ...(ignored.length > 0 ? [`Ignores ${ignored.join(', ')}.`] : []),
    ...fundWarning(header, columns),
  ].join('\n');
}

function onlyInWords(header: readonly string[], condition: RowCondition, { leaveOut }: Columns): string {
  const others = leaveOut.find(({ index }) => index === condition.index);
  if (others === undefined) return `Leaves rows out unless ${inWords(header, condition)}.`;
  const left =
    others.values.size === 0 ? '' : `; leaves rows out where it is ${[...others.values].map(quoted).join(' or ')}`;
  return `Records gifts where ${inWords(header, condition)}${left}; refuses any other value.`;
}

function inWords(header: readonly string[], { index, values }: RowCondition): string {
  return `${quoted(header[index] ?? '')} is ${[...values].map(quoted).join(' or ')}`;
}

/** Warns if the file seems to name funds that are not read: all gifts would go to the same fund. */
function fundWarning(header: readonly string[], { fields, defaults }: Pick<Columns, 'fields' | 'defaults'>): string[] {
  if (fields.includes('FundId') || fields.includes('FundName')) return [];
  const funds = header.filter((name, index) => fields[index] === undefined && /fund(?!rais)|designation/i.test(name));
  if (funds.length === 0) return [];
  const fund = 'FundId' in defaults ? `fund ${String(defaults['FundId'])}` : 'the default fund';
  const [name = ''] = funds;
  return [
    `All gifts go to ${fund}, whatever ${funds.map(quoted).join(', ')} says. To read the names of funds, add ` +
      `${JSON.stringify(name)}: "FundName" to the mapping.`,
  ];
}
