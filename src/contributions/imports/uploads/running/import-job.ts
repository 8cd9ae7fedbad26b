/** The queue of dry runs and imports of uploaded files. */
export const IMPORT_FILE = 'import-file';

/** A run of an uploaded file. It counts only if the file is still in this state, with this number of dry runs. */
export interface ImportJob {
  readonly importId: number;
  readonly state: 'checking' | 'booking';
  readonly revision: number;
}
