import type { Service } from './service.js';

/** A processor's loop: fetches what has changed since it last did, and keeps the last of each contribution. */
export class ChangeReader {
  /** What the service has told of, by id. */
  readonly kept = new Map<number, Readonly<Record<string, unknown>>>();
  private query = 'updatedSince=1900-01-01';

  constructor(private readonly service: Service) {}

  /** In pages so short that a run has many of them. */
  async readOn(): Promise<void> {
    for (let more = true; more;) {
      const page = await this.service.list(`${this.query}&limit=25`);
      for (const view of page.contributions) this.kept.set(Number(view['contributionId']), view);
      this.query = `after=${page.next}`;
      more = page.more;
    }
  }
}
