import { connect, type Socket } from 'node:net';

/** An answer as it came over the line. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; what came twice is joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

export interface ExchangeOptions {
  /** The request is HEAD: its answer has no body, whatever Content-Length says. */
  readonly headOnly?: boolean;
  /** Says after so many milliseconds without an answer that no more bytes will come. */
  readonly endAfter?: number;
  /** Nothing else can follow on this connection. */
  readonly last?: boolean;
}

/** How long an answer may take; the service's own limits end before. */
const PATIENCE_MS = 15_000;

/** A connection on which any bytes can be sent, as client libraries do not; opened anew when it was closed. */
export class RawConnection {
  private socket: Socket | undefined;

  constructor(private readonly port: number) {}

  /** The answer to these bytes, undefined where the line was cut without a whole one. @throws when nothing happens at all. */
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

  close(): void {
    this.socket?.removeAllListeners('close').destroy();
    this.socket = undefined;
  }
}

/** The first whole answer in these bytes that is no interim one. */
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
  // Every answer of ours is one text of a known length.
  const length = headOnly ? 0 : Number(headers.get('content-length') ?? NaN);
  if (Number.isNaN(status) || Number.isNaN(length)) throw new Error(`This is no answer: ${bytes.toString()}`);
  return rest.length < length ? undefined : { status, headers, text: rest.toString('utf8', 0, length) };
}
