import { expect, it } from '@jest/globals';
import { mergeFigures } from '../../bench/merge-figures.js';

const ORDER = ['Goals', 'Batches', 'Growth', 'Start', 'Where and when'];

it('replaces the sections that were measured, and keeps the others', () => {
  const earlier = '\n## Batches\n\nold\n\n## Growth\n\nold growth\n';
  expect(mergeFigures(earlier, '## Batches\n\nnew\n\n## Start\n\nnew start', ORDER)).toBe(
    '## Batches\n\nnew\n\n## Growth\n\nold growth\n\n## Start\n\nnew start',
  );
});

it.each(['Goals', 'Where and when'])('replaces the rows of %s that were measured', (title) => {
  const earlier = `## ${title}\n\n| What   | Found |\n| ------ | ----- |\n| growth | 1.1   |\n| batch  | 2.7   |\n`;
  const measured = `## ${title}\n\n| What | Found |\n| --- | --- |\n| batch | 3.1 |\n| start | 9 |`;
  expect(mergeFigures(earlier, measured, ORDER)).toBe(
    `## ${title}\n\n| What   | Found |\n| ------ | ----- |\n| growth | 1.1   |\n| batch | 3.1 |\n| start | 9 |`,
  );
});
