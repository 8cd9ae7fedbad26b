import { beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceBusyError } from '../../http/index.js';
import { Metrics } from '../../metrics/index.js';
import { hashPassword } from './password.js';
import { PasswordChecks } from './password-checks.js';

const ADDRESS = '192.0.2.1';
const ANOTHER = '192.0.2.2';

let hash: string;
beforeAll(async () => {
  hash = await hashPassword('correct horse');
});

interface Outcome {
  readonly answer: 'right' | 'wrong' | 'busy';
  readonly milliseconds: number;
}

/** Starts simultaneous guesses, the first of which is right. */
function guesses(checks: PasswordChecks, count: number, address: string): Promise<Outcome>[] {
  const begin = performance.now();
  return Array.from({ length: count }, async (_, i) => {
    let answer: Outcome['answer'];
    try {
      answer = (await checks.verify(hash, i === 0 ? 'correct horse' : `wrong ${i}`, address)) ? 'right' : 'wrong';
    } catch (error) {
      if (!(error instanceof ServiceBusyError)) throw error;
      answer = 'busy';
    }
    return { answer, milliseconds: performance.now() - begin };
  });
}

describe('among many simultaneous passwords', () => {
  it('those that would wait too long are refused at once, and others are accepted again later', async () => {
    const checks = new PasswordChecks(new Metrics());
    const answers = await Promise.all(guesses(checks, 300, ADDRESS));
    expect(answers[0]?.answer).toBe('right');
    expect(answers.filter(({ answer }) => answer === 'wrong').length).toBeGreaterThan(1);
    const firstChecked = Math.min(
      ...answers.filter(({ answer }) => answer !== 'busy').map(({ milliseconds }) => milliseconds),
    );
    const refused = answers.filter(({ answer }) => answer === 'busy').map(({ milliseconds }) => milliseconds);
    expect(refused.filter((milliseconds) => milliseconds < firstChecked).length).toBeGreaterThan(200);
    // It throws if there is no capacity.
    checks.assertCapacity(ADDRESS);
  });

  it('those from one address leave half of the places to others', async () => {
    const checks = new PasswordChecks(new Metrics());
    const flood = guesses(checks, 100, ADDRESS);
    expect(() => {
      checks.assertCapacity(ADDRESS);
    }).toThrow(ServiceBusyError);
    const [other] = await Promise.all(guesses(checks, 1, ANOTHER));
    expect(other?.answer).toBe('right');
    await Promise.all(flood);
  });
});
