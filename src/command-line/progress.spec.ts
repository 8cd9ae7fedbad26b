import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type Progress, progressOn } from './progress.js';

function shown(isTTY: boolean, work: (progress: Progress) => void): string {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const progress = progressOn(stream as unknown as NodeJS.WriteStream);
  work(progress);
  progress.end();
  return String(stream.read() ?? '');
}

describe('progress', () => {
  it('is one line on a terminal, drawn over and over, which ends at what was reached', () => {
    const output = shown(true, (progress) => {
      progress.show(0, 200, 'person');
      progress.show(50, 200, 'person');
      progress.show(200, 200, 'contribution');
    });
    expect(output.startsWith(`\r[${'.'.repeat(30)}]   0 %  0 of 200  person`)).toBe(true);
    expect(output.endsWith(`\r[${'#'.repeat(30)}] 100 %  200 of 200  contribution\u001B[K\n`)).toBe(true);
  });

  it('is elsewhere a line for each thing that is begun', () => {
    const output = shown(false, (progress) => {
      progress.show(0, 3, 'person');
      progress.show(1, 3, 'person');
      progress.show(1, 3, 'contribution');
      progress.show(3, 3, 'contribution');
    });
    expect(output).toBe('  0 %  0 of 3  person\n 33 %  1 of 3  contribution\n');
  });

  it('of nothing is all of it', () => {
    expect(shown(false, (progress) => progress.show(0, 0, 'nothing'))).toBe('100 %  0 of 0  nothing\n');
    expect(shown(true, () => undefined)).toBe('');
  });
});
