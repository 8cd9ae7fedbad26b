import { mainOf, type ConsoleVisitor, newVisitor } from '../support/console.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { DepositCalls, unique } from './deposit-calls.js';

/** The path of the pages of deposits. */
export const DEPOSITS = '/console/deposits';

/** What a form says that shows a deposit for which nothing is entered for the bank. */
export const NOTHING_ENTERED = JSON.stringify([null, null, null]);

/** The text of a page, without tags. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The cells of the rows of a page, a line of text for each. */
export const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) => textOf(row));

/** The value of a field of a form on a page. */
export function fieldOf(html: string, name: string): string {
  const [input = ''] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html) ?? [];
  return (/ value="([^"]*)"/.exec(input)?.[1] ?? '').replaceAll('&quot;', '"');
}

/** Gifts, deposits and their pages, for Finance. */
export class DepositForms {
  private constructor(
    readonly service: TestApp,
    readonly finance: ConsoleVisitor,
    readonly calls: DepositCalls,
  ) {}

  static async open(): Promise<DepositForms> {
    const service = await startTestApp();
    const { login, visitor } = await newVisitor(service);
    return new DepositForms(service, visitor, new DepositCalls(service, login));
  }

  /** A page that Finance sees. */
  async page(path: string, visitor = this.finance): Promise<string> {
    return mainOf((await visitor.get(path).expect(200)).text);
  }

  /** Sends a form that must be accepted. @returns where it leads, and what is said there. */
  async send(path: string, fields: Readonly<Record<string, string>>): Promise<{ to: string; message: string | null }> {
    const { headers } = await this.finance.post(path, fields).expect(303);
    const { pathname, searchParams } = new URL(headers['location'] ?? '', `http://localhost${path}`);
    return { to: pathname, message: searchParams.get('flash') };
  }

  async statusOf(id: number): Promise<string> {
    return (await this.calls.read(id)).status;
  }

  /** A payout with gifts. @returns their ids, the payout, and the box of its row. */
  async payout(
    amounts: readonly string[],
    fields: object = {},
  ): Promise<{ ids: number[]; payoutId: string; tick: string }> {
    const payoutId = unique('po');
    const ids: number[] = [];
    for (const Amount of amounts) ids.push((await this.calls.gift({ Amount, PayoutId: payoutId, ...fields })).id);
    return { ids, payoutId, tick: JSON.stringify(['txt2give', payoutId, 'USD']) };
  }

  /** The deposit of gifts, made by Finance. */
  async deposit(
    amounts: readonly string[],
    fields: object = {},
  ): Promise<{ id: number; ids: number[]; payoutId: string }> {
    const { payoutId, ids } = await this.payout(amounts, fields);
    const sent = { Source: 'txt2give', ...fields, PayoutId: payoutId };
    const answer = await this.calls.post('Payouts/deposit', { Source: sent.Source, PayoutId: payoutId }).expect(200);
    return { id: (answer.body as { id: number }).id, ids, payoutId };
  }

  /** Enters what the bank has. */
  async enterBank(id: number, Amount: string): Promise<void> {
    await this.calls.post(`Deposits/${id}/bank`, { Date: '2026-11-25', Amount }).expect(200);
  }
}
