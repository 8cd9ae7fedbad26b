import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Content codings, the best first. */
export const CODINGS = ['br', 'gzip'] as const;

type Coding = (typeof CODINGS)[number];

/** Half a megabyte takes 20 ms, and two 60 ms; the best quality would take seconds. */
const BROTLI_QUALITY = 6;

const COMPRESS: Readonly<Record<Coding, (content: Uint8Array) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
};

/** A content, and its compressed forms, each made when it is first requested. Not for contents with a secret. */
export class Compressible {
  private readonly forms = new Map<Coding, Promise<Buffer>>();

  constructor(
    readonly content: Buffer,
    readonly type: string,
  ) {}

  /** @param coding undefined: as it is. */
  in(coding: Coding | undefined): Promise<Buffer> {
    if (coding === undefined) return Promise.resolve(this.content);
    const form = this.forms.get(coding) ?? COMPRESS[coding](this.content);
    this.forms.set(coding, form);
    return form;
  }
}
