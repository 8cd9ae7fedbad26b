import type { Service } from './service.js';

/** The loop of a processor: fetches new changes and keeps the latest version of each contribution. */
export class ChangeReader {
  /** The latest version of each contribution by id. */
  readonly kept = new Map<number, Readonly<Record<string, unknown>>>();
  private query = 'updatedSince=1900-01-01';

  constructor(private readonly service: Service) {}

  /** Reads all new changes in short pages, so that a run has many pages. */
  async readOn(): Promise<void> {
    for (let more = true; more;) {
      const page = await this.service.list(`${this.query}&limit=25`);
      for (const view of page.contributions) this.kept.set(Number(view['contributionId']), view);
      this.query = `after=${page.next}`;
      more = page.more;
    }
  }
}
