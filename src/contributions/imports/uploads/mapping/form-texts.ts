import type { Query } from '../../../../http/index.js';

/** The texts of a form. */
export class FormTexts {
  constructor(private readonly fields: Query) {}

  /** Undefined for a field that was not sent, or twice. */
  sent(name: string): string | undefined {
    const value = this.fields[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Undefined for a blank field as well. */
  of(name: string): string | undefined {
    const text = this.sent(name)?.trim();
    return text === '' ? undefined : text;
  }
}
