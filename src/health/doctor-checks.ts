import { Injectable } from '@nestjs/common';

/** What a check found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly check: string;
  /** A fault keeps gifts or notices from where they belong; a warning may be as it should be. */
  readonly result: 'ok' | 'warning' | 'fault';
  readonly found: string;
  /** What to do about it; on what is not ok. */
  readonly advice?: string;
}

/** Checks one thing of the installation thoroughly. It may take seconds and use the network. */
export type DoctorCheck = () => Promise<Finding>;

/** Where a check is used besides `offertory doctor`. */
export interface DoctorCheckOptions {
  /** True for a check that asks only the database: its faults are logged at the start of the service, and once a day. */
  readonly watched?: boolean;
}

/** The checks of `offertory doctor`. Modules add theirs when they start. */
@Injectable()
export class DoctorChecks {
  private readonly checks: {
    readonly name: string;
    readonly examine: DoctorCheck;
    readonly watched: boolean;
  }[] = [];

  /** @param name of the finding where the check itself fails. */
  add(name: string, examine: DoctorCheck, { watched = false }: DoctorCheckOptions = {}): void {
    this.checks.push({ name, examine, watched });
  }

  /** All findings, or those of watched checks, in the order in which they were added. */
  async findings({ watched = false }: DoctorCheckOptions = {}): Promise<Finding[]> {
    const chosen = watched ? this.checks.filter((one) => one.watched) : this.checks;
    return Promise.all(
      chosen.map(async ({ name, examine }) => {
        try {
          return await examine();
        } catch (error) {
          const found = `could not be looked at: ${error instanceof Error ? error.message : String(error)}`;
          return { check: name, result: 'fault', found, advice: 'See what the log says, and repeat.' };
        }
      }),
    );
  }
}
