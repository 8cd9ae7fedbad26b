import type { TestApp } from '../support/test-app.js';

interface Epoch {
  readonly number: number;
  readonly token: string | null;
  readonly reason: string;
  readonly fork_id: number;
  readonly fork_change_no: number;
  readonly first_id: number;
  readonly first_change_no: number;
}

interface Page {
  readonly contributions: readonly { readonly contributionId: number }[];
  readonly next: string;
}

/** The largest random part of a gap. */
export const AT_RANDOM = 1_000_000;

const CHANGES = 'Contributions?updatedSince=1900-01-01&limit=500';

/** How these tests read and change the books of a service. */
interface EpochBooks {
  readonly page: (path: string) => Promise<Page>;
  /** Where the lists by id and by change end. */
  readonly end: () => Promise<{ id: string; change: string }>;
  /** Adds a gift. @returns its id. */
  readonly add: (fields?: object) => Promise<number>;
  readonly epochs: () => Promise<Epoch[]>;
  readonly begin: (idsAbove?: number) => Promise<Epoch>;
  /** The last value of each sequence, except that of the migrations table. */
  readonly sequences: () => Promise<Map<string, number>>;
}

export function booksOf(serviceNow: () => TestApp): EpochBooks {
  const page = async (path: string): Promise<Page> => (await serviceNow().get(path).expect(200)).body as Page;
  const end = async (): Promise<{ id: string; change: string }> => ({
    id: (await page('Contributions?limit=500')).next,
    change: (await page(CHANGES)).next,
  });
  const add = async (fields: object = {}): Promise<number> =>
    ((await serviceNow().add(fields).expect(200)).body as { ContributionId: number }).ContributionId;
  const epochs = (): Promise<Epoch[]> =>
    serviceNow().database.query<Epoch>('SELECT * FROM books_epoch ORDER BY number');
  const begin = async (idsAbove?: number): Promise<Epoch> => {
    const [epoch] = await serviceNow().database.query<Epoch>(
      `SELECT * FROM begin_books_epoch('a test', $1, 'a test')`,
      [idsAbove],
    );
    if (epoch === undefined) throw new Error('No epoch was begun');
    return epoch;
  };
  const sequences = async (): Promise<Map<string, number>> => {
    const rows = await serviceNow().database.query<{ name: string; last: number | null }>(
      `SELECT sequencename AS name, last_value::float8 AS last FROM pg_sequences
       WHERE schemaname = 'public' AND sequencename <> 'migrations_id_seq' ORDER BY 1`,
    );
    return new Map(rows.map(({ name, last }) => [name, last ?? 0]));
  };
  return { page, end, add, epochs, begin, sequences };
}
