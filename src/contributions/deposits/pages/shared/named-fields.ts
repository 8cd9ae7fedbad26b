import type { Type } from '@nestjs/common';
import type { Query } from '../../../../http/index.js';
import { isFault, readPathId } from '../../../../values/index.js';
import type { FormReader, FormReading, FormState } from '../../../../pages/index.js';

/** A row of a form: its id, and what its field says. */
export interface SentRow {
  readonly id: number;
  readonly value: string;
}

/** The rows whose fields a form sends under a prefix and an id, such as "deposit-7"; lower ids first. */
export function rowsIn(sent: Query, prefix: string): SentRow[] {
  const rows = Object.entries(sent).flatMap(([name, value]) => {
    if (!name.startsWith(prefix) || typeof value !== 'string') return [];
    const id = readPathId(name.slice(prefix.length));
    return isFault(id) ? [] : [{ id: id.value, value }];
  });
  return rows.sort((one, other) => one.id - other.id);
}

/** What a field says, without white space around it; an empty text if it was not sent. */
export function textIn(sent: Query, name: string): string {
  const value = sent[name];
  return typeof value === 'string' ? value.trim() : '';
}

/**
 * Reads fields of a form that have other names than in the request class, because the page has several forms or rows. The
 * faults have the names of the form.
 * @param names the names in the form, by those of the request class.
 */
export function readNamed<T extends object>(
  forms: FormReader,
  request: Type<T>,
  sent: Query,
  names: Readonly<Record<string, string>>,
): FormReading<T> {
  const renamed = Object.fromEntries(Object.entries(names).map(([field, name]) => [field, textIn(sent, name)]));
  const reading = forms.read(request, renamed, ['Amount']);
  const typed = Object.fromEntries(Object.values(names).map((name) => [name, textIn(sent, name)]));
  return { ...reading, state: { ...withNames(reading.state, names), typed } };
}

/** The state of a form whose faults have the names of the form, by those of the request class. */
export function withNames<S extends FormState>(state: S, names: Readonly<Record<string, string>>): S {
  const faults = state.faults.map((fault) => ({ ...fault, field: names[fault.field] ?? fault.field }));
  return { ...state, faults };
}
