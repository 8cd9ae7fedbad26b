import { type RawAnswer, RawConnection } from '../support/raw-http.js';
import type { Login } from '../support/test-app.js';
import { must } from './answers.js';
import { encode, type Header } from './request.js';

const GIFT = { First: 'Base', Last: 'Gift', Email: 'base@example.org', Phone: 'n/a', Amount: '1' };

/** Valid calls between the inputs. They must succeed whatever was sent before. */
export class OwnCalls {
  private readonly connection: RawConnection;
  private readonly credentials: string;

  constructor({ port, login }: { readonly port: number; readonly login: Login }) {
    this.connection = new RawConnection(port);
    this.credentials = Buffer.from(login.join(':')).toString('base64');
  }

  /** @returns the ContributionId of a new gift of 1.00. */
  async addGift(fields: object = {}): Promise<number> {
    const body = Buffer.from(JSON.stringify({ ...GIFT, ...fields }));
    const { text } = await this.send('POST', '/Api/AddContribution', body, ['Content-Type', 'application/json']);
    return (JSON.parse(text) as { ContributionId: number }).ContributionId;
  }

  async reverse(contributionId: number): Promise<void> {
    await this.send('POST', `/Api/ReverseContribution/${contributionId}/base`);
  }

  async read(contributionId: number): Promise<Record<string, unknown>> {
    const { text } = await this.send('GET', `/Api/Contributions/${contributionId}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  close(): void {
    this.connection.close();
  }

  private async send(
    method: string,
    target: string,
    body: Buffer = Buffer.alloc(0),
    ...more: readonly Header[]
  ): Promise<RawAnswer> {
    const headers: Header[] = [
      ['Host', 'x'],
      ['Authorization', 'Basic {credentials}'],
      ['Content-Length', '{length}'],
    ];
    const request = { method, target, headers: [...headers, ...more], body };
    const answer = await this.connection.exchange(
      encode(request, { credentials: this.credentials, gift: 0, unique: '' }),
    );
    const received = answer === undefined ? 'a closed connection' : `${answer.status} ${answer.text}`;
    must(answer?.status === 200, `a valid call was answered by ${received}`);
    return answer;
  }
}
