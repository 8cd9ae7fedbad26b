import { connect, type Socket } from 'node:net';

/** An answer as received. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; repeated headers are joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

export interface ExchangeOptions {
  /** The request is HEAD: its answer has no body in spite of Content-Length. */
  readonly headOnly?: boolean;
  /** After this many milliseconds without an answer, the sending side of the connection is closed. */
  readonly endAfter?: number;
  /** Whether the connection is closed after this exchange. */
  readonly last?: boolean;
}

/** The longest time for an answer; the limits of the service are shorter. */
const PATIENCE_MS = 15_000;

/** A connection that can send any bytes, unlike client libraries; reopened if it was closed. */
export class RawConnection {
  private socket: Socket | undefined;

  constructor(private readonly port: number) {}

  /**
   * Sends these bytes.
   * @returns the answer; undefined if the connection was closed without a whole one.
   * @throws Error if there is neither in time.
   */
  exchange(bytes: string | Buffer, options: ExchangeOptions = {}): Promise<RawAnswer | undefined> {
    const socket = (this.socket ??= connect(this.port, '127.0.0.1')
      .setNoDelay()
      .on('error', () => undefined));
    return new Promise((resolve, reject) => {
      let received = Buffer.alloc(0);
      const finish = (answer: RawAnswer | undefined): void => {
        clearTimeout(timer);
        clearTimeout(ending);
        socket.off('data', take).off('close', cut);
        if (answer === undefined || options.last || answer.headers.get('connection') === 'close') this.close();
        resolve(answer);
      };
      const take = (chunk: Buffer): void => {
        received = Buffer.concat([received, chunk]);
        try {
          const answer = readAnswer(received, options);
          if (answer !== undefined) finish(answer);
        } catch (error) {
          fail(error as Error);
        }
      };
      const cut = (): void => finish(undefined);
      const fail = (error: Error): void => {
        finish(undefined);
        reject(error);
      };
      const timer = setTimeout(() => fail(new Error(`There was no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
      const { endAfter } = options;
      const ending = endAfter === undefined ? undefined : setTimeout(() => socket.end(), endAfter);
      socket.on('data', take).once('close', cut);
      socket.write(bytes);
    });
  }

  /** The socket in use; undefined if there is none. */
  current(): Socket | undefined {
    return this.socket;
  }

  close(): void {
    this.socket?.removeAllListeners('close').destroy();
    this.socket = undefined;
  }
}

/** The first whole answer in these bytes, without interim ones. */
function readAnswer(bytes: Buffer, { headOnly = false }: ExchangeOptions): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? NaN);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return readAnswer(rest, { headOnly });
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name) ?? ''}, ${value}` : value);
  }
  // Every answer of the service has a Content-Length.
  const length = headOnly ? 0 : Number(headers.get('content-length') ?? NaN);
  if (Number.isNaN(status) || Number.isNaN(length)) throw new Error(`Not an HTTP answer: ${bytes.toString()}`);
  return rest.length < length ? undefined : { status, headers, text: rest.toString('utf8', 0, length) };
}
