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

/** A valid call. */
export type Call =
  | { readonly kind: 'gift'; readonly members: readonly Member[] }
  /** Changes of members change the first gift. */
  | { readonly kind: 'batch'; readonly gifts: readonly (readonly Member[])[] }
  | { readonly kind: 'deposit'; readonly members: readonly Member[] }
  /** The query has its question mark, or is empty. */
  | { readonly kind: 'reversal' | 'reversal of a transaction'; readonly source: string; readonly query: string }
  | {
      readonly kind: 'correction';
      readonly what: 'reverse' | 'reinstate' | 'move';
      readonly members: readonly Member[];
    };

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
  const target = targetOf(call);
  if ('source' in call) {
    const headers: Header[] = [...COMMON, ['Content-Length', '{length}']];
    return inRequest({ method: 'POST', target, headers, body: Buffer.alloc(0) });
  }
  const [first = [], ...others] = call.kind === 'batch' ? call.gifts : [call.members];
  const objects = [inMembers(first), ...others].map(
    (members, index) => `{${members.map(({ name, value }) => `${name}:${filled(value, unique, index)}`).join(',')}}`,
  );
  const text = call.kind === 'batch' ? `{"Gifts":[${objects.join(',')}]}` : objects.join('');
  const body = inBody(Buffer.from(inText(text)));
  const headers: Header[] = [...COMMON, ['Content-Type', 'application/json'], ['Content-Length', '{length}']];
  return inRequest({ method: 'POST', target, headers, body });
}

function targetOf(call: Call): string {
  switch (call.kind) {
    case 'gift':
      return '/Api/AddContribution';
    case 'batch':
      return '/Api/AddContributions';
    case 'deposit':
      return '/Api/Deposits';
    case 'reversal':
      return `/Api/ReverseContribution/{gift}/${encodeURIComponent(call.source)}${call.query}`;
    case 'reversal of a transaction':
      return `/Api/Transactions/${encodeURIComponent(call.source)}/{unique}/reverse${call.query}`;
    case 'correction':
      return `/Api/Contributions/{gift}/${call.what}`;
  }
}

/** The gifts of a batch have different ids. */
function filled(value: string, unique: string, index: number): string {
  return value.replaceAll('{unique}', index === 0 ? unique : `${unique}-${index}`);
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
