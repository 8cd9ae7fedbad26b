/** A header line: name and value as Latin-1, that is, any bytes but line ends. */
export type Header = readonly [name: string, value: string];

/**
 * A request before it is written out; `{gift}`, `{credentials}`, `{length}` and `{unique}` in it are filled in then. What
 * is unique is so for each try: an input that is made smaller must not meet what it left behind when it was larger.
 */
export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** A member of the body's object: name and value as JSON texts, so that there can be two equal ones, and 1e400. */
export interface Member {
  readonly name: string;
  readonly value: string;
}

/** One way in which a call differs from a valid one. Each part works on another form of it, in this order. */
export interface Change {
  /** What kind it is, for the tally. */
  readonly kind: string;
  readonly members?: (members: readonly Member[]) => readonly Member[];
  readonly text?: (json: string) => string;
  readonly body?: (bytes: Buffer) => Buffer;
  readonly request?: (request: Request) => Request;
  /** On the bytes of the whole request: it may be no HTTP any more. */
  readonly wire?: (bytes: Buffer) => Buffer;
  /** The statuses that are right; left out: every one of the contract but 5xx. */
  readonly statuses?: readonly number[];
  /** Sends it once more: the same answer is expected. */
  readonly twice?: boolean;
}

/** A valid call, and what is different in the one that is made. */
export interface Input {
  readonly call: Call;
  readonly change: Change;
}

/** A valid call: a gift's members, or a reversal's source. */
export type Call = { readonly members: readonly Member[] } | { readonly source: string };

const COMMON: readonly Header[] = [
  ['Host', '127.0.0.1'],
  ['Authorization', 'Basic {credentials}'],
];

/** What stands for the names in braces. */
export interface Fill {
  readonly gift: number;
  readonly credentials: string;
  readonly unique: string;
}

/** The changed request, but for what is done to its bytes. */
export function requestOf({ call, change }: Input, { unique }: Fill): Request {
  const { members: inMembers = same, text: inText = same, body: inBody = same, request: inRequest = same } = change;
  if ('source' in call) {
    const target = `/Api/ReverseContribution/{gift}/${encodeURIComponent(call.source)}`;
    return inRequest({
      method: 'POST',
      target,
      headers: [...COMMON, ['Content-Length', '{length}']],
      body: Buffer.alloc(0),
    });
  }
  const members = inMembers(call.members).map(({ name, value }) => `${name}:${value.replaceAll('{unique}', unique)}`);
  const body = inBody(Buffer.from(inText(`{${members.join(',')}}`)));
  const headers: Header[] = [...COMMON, ['Content-Type', 'application/json'], ['Content-Length', '{length}']];
  return inRequest({ method: 'POST', target: '/Api/AddContribution', headers, body });
}

const same = <T>(value: T): T => value;

/** The request's bytes. */
export function encode(request: Request, { gift, credentials, unique }: Fill): Buffer {
  const fill = (text: string): string =>
    text
      .replaceAll('{gift}', String(gift))
      .replaceAll('{credentials}', credentials)
      .replaceAll('{length}', String(request.body.length))
      .replaceAll('{unique}', unique);
  const lines = [`${request.method} ${request.target} HTTP/1.1`, ...request.headers.map((header) => header.join(': '))];
  return Buffer.concat([Buffer.from(`${lines.map(fill).join('\r\n')}\r\n\r\n`, 'latin1'), request.body]);
}
