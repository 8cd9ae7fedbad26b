import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfterAnswer } from './early-answer.js';

/**
 * Lets a service that is about to stop end its connections by its answers. A connection that is closed while nobody waits
 * for an answer may cut a call that its client has just sent, and a proxy must not send a gift twice. An answer that says
 * `Connection: close` cuts none: the client knows that it is the last one.
 */
export class LastAnswers {
  /** The latest request of each connection that waits for its answer. An earlier one is answered before it. */
  private readonly awaited = new Map<Socket, ServerResponse>();
  private haveBegun = false;

  /** Watches the server. It must have all its other listeners. */
  constructor(server: Server) {
    // Before the request is handled: its answer may be sent at once.
    server.prependListener('request', ({ socket }, response) => {
      if (this.haveBegun) response.setHeader('Connection', 'close');
      else this.watch(socket, response);
    });
    // And after it, because it would not be handled on a connection that is closing already.
    server.on('request', ({ socket }) => {
      if (this.haveBegun) closeAfterAnswer(socket);
    });
  }

  /** From now on each answer is the last one of its connection, unless its head is sent already. */
  begin(): void {
    this.haveBegun = true;
    for (const [socket, response] of this.awaited) {
      if (response.headersSent) continue;
      response.setHeader('Connection', 'close');
      closeAfterAnswer(socket);
    }
    this.awaited.clear();
  }

  private watch(socket: Socket, response: ServerResponse): void {
    this.awaited.set(socket, response);
    response.once('close', () => {
      if (this.awaited.get(socket) === response) this.awaited.delete(socket);
    });
  }
}
