const WIDTH = 30;
const REDRAW_MS = 100;

/** Something that is counted while it is done. */
export interface Progress {
  /** @param what what is under way: a word or two. */
  show(done: number, total: number, what: string): void;
  /** Ends the line of a bar, however it went. */
  end(): void;
}

/** A bar on a terminal; elsewhere, in a log say, a line whenever something else is under way. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WritableStream): Progress {
  let last = '';
  let drawnAt = -Infinity;
  const draw = (): void => {
    // Clears to the end of the line: the text before may have been longer.
    stream.write(`\r${last}\u001B[K`);
    drawnAt = performance.now();
  };
  return {
    show: (done, total, what) => {
      last = `[${'#'.repeat(share(done, total, WIDTH)).padEnd(WIDTH, '.')}] ${text(done, total, what)}`;
      if (performance.now() - drawnAt > REDRAW_MS) draw();
    },
    end: () => {
      if (last === '') return;
      draw();
      stream.write('\n');
    },
  };
}

function lines(stream: NodeJS.WritableStream): Progress {
  let before = '';
  return {
    show: (done, total, what) => {
      if (what === before) return;
      before = what;
      stream.write(`${text(done, total, what)}\n`);
    },
    end: () => undefined,
  };
}

function text(done: number, total: number, what: string): string {
  return `${String(share(done, total, 100)).padStart(3)} %  ${done} of ${total}  ${what}`;
}

function share(done: number, total: number, whole: number): number {
  return total === 0 ? whole : Math.floor((Math.min(done, total) / total) * whole);
}
