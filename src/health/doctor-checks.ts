import { Injectable } from '@nestjs/common';

/** The result of a check. */
export interface Finding {
  /** What was checked, in a word or two. */
  readonly check: string;
  /** A fault loses or misplaces gifts or notices. A warning may be intended. */
  readonly result: 'ok' | 'warning' | 'fault';
  readonly found: string;
  /** What to do about a fault or warning. */
  readonly advice?: string;
}

/** Checks one thing of the installation thoroughly. It may take seconds and use the network. */
export type DoctorCheck = () => Promise<Finding>;

export interface DoctorCheckOptions {
  /** True for a check that uses only the database. Its faults are logged at the start of the service and once a day. */
  readonly watched?: boolean;
}

/** The checks of `offertory doctor`. Modules add theirs when they start. */
@Injectable()
export class DoctorChecks {
  private readonly checks: {
    readonly name: string;
    readonly check: DoctorCheck;
    readonly watched: boolean;
  }[] = [];

  /** @param name of the finding if the check itself fails. */
  add(name: string, check: DoctorCheck, { watched = false }: DoctorCheckOptions = {}): void {
    this.checks.push({ name, check, watched });
  }

  /** The findings of all checks, or only of watched ones, in the order in which the checks were added. */
  async findings({ watched = false }: DoctorCheckOptions = {}): Promise<Finding[]> {
    const chosen = watched ? this.checks.filter((one) => one.watched) : this.checks;
    return Promise.all(
      chosen.map(async ({ name, check }) => {
        try {
          return await check();
        } catch (error) {
          const found = `could not be checked: ${error instanceof Error ? error.message : String(error)}`;
          return { check: name, result: 'fault', found, advice: 'Read the log, and run the check again.' };
        }
      }),
    );
  }
}
