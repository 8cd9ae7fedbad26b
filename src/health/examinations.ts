import { Injectable } from '@nestjs/common';

/** What an examination found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** A fault keeps gifts or notices from where they belong; a warning may be as it should be. */
  readonly result: 'ok' | 'warning' | 'fault';
  readonly found: string;
  /** What to do about it; on what is not ok. */
  readonly advice?: string;
}

/** Looks at one thing of the installation, thoroughly: it may take its seconds, and talk to others. */
export type Examination = () => Promise<Finding>;

/** How an examination is used besides by the doctor. */
export interface ExaminationOptions {
  /** True for one that asks the database alone: its faults are logged at the start of the service, and once a day. */
  readonly watched?: boolean;
}

/** Where modules hand in what `offertory doctor` should look at. */
@Injectable()
export class Examinations {
  private readonly examinations: {
    readonly check: string;
    readonly examine: Examination;
    readonly watched: boolean;
  }[] = [];

  /** @param check names it should it fail itself. */
  add(check: string, examine: Examination, { watched = false }: ExaminationOptions = {}): void {
    this.examinations.push({ check, examine, watched });
  }

  /** All findings, or those of watched examinations, in the order of handing in. */
  async findings({ watched = false }: ExaminationOptions = {}): Promise<Finding[]> {
    const chosen = watched ? this.examinations.filter((one) => one.watched) : this.examinations;
    return Promise.all(
      chosen.map(async ({ check, examine }) => {
        try {
          return await examine();
        } catch (error) {
          const found = `could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
          return { check, result: 'fault', found, advice: 'See what the log says, and repeat.' };
        }
      }),
    );
  }
}
