/** A statement as sent over the network. */
export interface TappedStatement {
  readonly text: string;
  /** The name of its prepared statement; '' if it has none. */
  readonly name: string;
  /** Values as text; null for NULL. A binary value is '\x…', its bytes in hexadecimal. */
  readonly values: readonly (string | null)[];
  /** True when the client waited for the answer before it sent more: a round trip ended here. */
  roundTrip: boolean;
}

/** The statements of all connections of a tap. */
export class TapRecord {
  statements: TappedStatement[] = [];
  roundTrips = 0;

  reset(): void {
    this.statements = [];
    this.roundTrips = 0;
  }
}

/** The protocol version of a startup message. Other untyped first messages name no user and database. */
const PROTOCOL_3 = 3 << 16;

/** Reads one connection's messages to PostgreSQL (its manual, "Message Formats") and notes statements and round trips. */
export class FrontendReader {
  private unread: Buffer = Buffer.alloc(0);
  private isStarted = false;
  private isWanted = false;
  /** Texts of prepared statements by name. */
  private readonly texts = new Map<string, string>();
  /** The bound statements by portal. */
  private readonly portals = new Map<string, Omit<TappedStatement, 'roundTrip'>>();

  constructor(
    private readonly applicationName: string,
    private readonly record: TapRecord,
  ) {}

  read(chunk: Buffer): void {
    this.unread = Buffer.concat([this.unread, chunk]);
    for (;;) {
      const typeBytes = this.isStarted ? 1 : 0;
      if (this.unread.length < typeBytes + 4) return;
      const end = typeBytes + this.unread.readInt32BE(typeBytes);
      if (this.unread.length < end) return;
      const type = this.isStarted ? String.fromCharCode(Number(this.unread[0])) : '';
      const message = new MessageReader(this.unread.subarray(typeBytes + 4, end));
      this.unread = this.unread.subarray(end);
      if (!this.isStarted) this.start(message);
      else if (this.isWanted) this.note(type, message);
    }
  }

  private start(message: MessageReader): void {
    // Requests for TLS and for cancellation have the same form.
    if (message.int32() !== PROTOCOL_3) return;
    this.isStarted = true;
    for (let name = message.text(); name !== ''; name = message.text()) {
      const value = message.text();
      if (name === 'application_name') this.isWanted = value === this.applicationName;
    }
  }

  private note(type: string, message: MessageReader): void {
    switch (type) {
      case 'Q':
        this.record.statements.push({ text: message.text(), name: '', values: [], roundTrip: false });
        this.endRoundTrip();
        break;
      case 'P':
        this.texts.set(message.text(), message.text());
        break;
      case 'B': {
        const portal = message.text();
        const name = message.text();
        this.portals.set(portal, { text: this.texts.get(name) ?? '', name, values: message.boundValues() });
        break;
      }
      case 'E': {
        const bound = this.portals.get(message.text());
        if (bound !== undefined) this.record.statements.push({ ...bound, roundTrip: false });
        break;
      }
      case 'S':
        this.endRoundTrip();
        break;
    }
  }

  private endRoundTrip(): void {
    this.record.roundTrips++;
    const last = this.record.statements.at(-1);
    if (last !== undefined) last.roundTrip = true;
  }
}

/** Reads the fields of one message in turn. */
class MessageReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  int32(): number {
    this.at += 4;
    return this.bytes.readInt32BE(this.at - 4);
  }

  private int16(): number {
    this.at += 2;
    return this.bytes.readInt16BE(this.at - 2);
  }

  /** Up to the next zero byte. */
  text(): string {
    const end = this.bytes.indexOf(0, this.at);
    const text = this.bytes.toString('utf8', this.at, end);
    this.at = end + 1;
    return text;
  }

  /** The values of a Bind message. Before them are their formats: none means text, a single one applies to all. */
  boundValues(): (string | null)[] {
    const formats = Array.from({ length: this.int16() }, () => this.int16());
    return Array.from({ length: this.int16() }, (_, index) => {
      const length = this.int32();
      if (length < 0) return null;
      this.at += length;
      const value = this.bytes.subarray(this.at - length, this.at);
      const isBinary = (formats.length === 1 ? formats[0] : formats[index]) === 1;
      return isBinary ? `\\x${value.toString('hex')}` : value.toString('utf8');
    });
  }
}
