/** A defence, how to switch it off, and the test that must then fail. */
export interface Defence {
  /** In docs/security.md. */
  readonly name: string;
  /** The file of the defence, and the text in it that occurs once and is replaced. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: {
    readonly file: string;
    /** The names of the blocks and the test, or the beginning that several tests share. One of them must fail. */
    readonly title: string;
  };
  /** In the short selection. */
  readonly short?: true;
}
