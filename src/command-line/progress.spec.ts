import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Progress } from './progress.js';

function display(isTTY: boolean): { isTTY: boolean; text: string; write(text: string): void } {
  return {
    isTTY,
    text: '',
    write(text) {
      this.text += text;
    },
  };
}

describe('progress', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('has a line every five seconds without a terminal, with the rate of the last seconds and the time left', () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const log = display(false);
    const progress = new Progress(log, 100_000);
    const work = (seconds: number, rowsASecond: number): void => {
      for (let second = 0; second < seconds; second++) {
        now += 1_000;
        for (let row = 0; row < rowsASecond; row++) progress.step();
      }
    };
    work(20, 1_000);
    work(20, 500);
    const lines = log.text.trimEnd().split('\n');
    expect(lines).toHaveLength(8);
    expect(lines[0]).toBe('4 %, 4001 of 100000 rows, 800 a second, 2 min left');
    expect(lines[3]).toBe('19 %, 19001 of 100000 rows, 1000 a second, 81 s left');
    expect(lines[7]).toBe('29 %, 29501 of 100000 rows, 500 a second, 3 min left');
  });

  it('is a bar on a terminal, and notes are printed above it', () => {
    const terminal = display(true);
    const progress = new Progress(terminal, 4);
    progress.step();
    progress.note('The database does not answer.');
    expect(terminal.text).toMatch(
      // eslint-disable-next-line no-control-regex -- these control a terminal
      /^\r\x1b\[KThe database does not answer\.\n\[#{7}\.{23}\] 25 %, 1 of 4 rows, \d+ a second, \d+ s left$/,
    );
    progress.end();
    expect(terminal.text.endsWith('\r\x1b[K')).toBe(true);
  });

  it('has a line for each part of the work without a terminal', () => {
    const log = display(false);
    const progress = new Progress(log, 4);
    progress.reach(1, 'person');
    progress.reach(2, 'person');
    progress.reach(4, 'contribution');
    expect(log.text).toMatch(/^25 %, 1 of 4 rows, [^\n]*: person\n100 %, 4 of 4 rows, [^\n]*: contribution\n$/);
  });

  it('prints only notes without a terminal if there are no parts', () => {
    const log = display(false);
    const progress = new Progress(log, 1_000);
    for (let i = 0; i < 1_000; i++) progress.step();
    progress.note('The database does not answer.');
    progress.end();
    expect(log.text).toBe('The database does not answer.\n');
  });
});
