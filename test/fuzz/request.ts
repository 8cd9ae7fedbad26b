/** A header line: name and value as Latin-1, which can contain any bytes except line ends. */
export type Header = readonly [name: string, value: string];

/**
 * A request before it is encoded. `encode` replaces `{gift}`, `{credentials}`, `{length}` and `{unique}`. `{unique}` is
 * different for each attempt, so that a shrunk input does not meet the keys of earlier attempts.
 */
export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** A member of the body's object: name and value as JSON texts. So names can repeat, and values such as 1e400 exist. */
export interface Member {
  readonly name: string;
  readonly value: string;
}

/** One difference from a valid call. Each part changes another form of the call, in this order. */
export interface Change {
  /** The kind of change, for the statistics. */
  readonly kind: string;
  readonly members?: (members: readonly Member[]) => readonly Member[];
  readonly text?: (json: string) => string;
  readonly body?: (bytes: Buffer) => Buffer;
  readonly request?: (request: Request) => Request;
  /** Changes the bytes of the whole request, which may then be invalid HTTP. */
  readonly wire?: (bytes: Buffer) => Buffer;
  /** The expected statuses. By default, all of the contract except 5xx. */
  readonly statuses?: readonly number[];
  /** Whether the call is sent twice and must get the same answer. */
  readonly twice?: boolean;
}

/** A valid call and the change that is made to it. */
export interface Input {
  readonly call: Call;
  readonly change: Change;
}

/** A valid call: the members of a gift or the source of a reversal. */
export type Call = { readonly members: readonly Member[] } | { readonly source: string };

const COMMON: readonly Header[] = [
  ['Host', '127.0.0.1'],
  ['Authorization', 'Basic {credentials}'],
];

/** The values of the names in braces. */
export interface Fill {
  readonly gift: number;
  readonly credentials: string;
  readonly unique: string;
}

/** The changed request, before a change of its bytes. */
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
