import { beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceBusyError } from '../../http/index.js';
import { LimitWatch, Metrics } from '../../metrics/index.js';
import { hashPassword } from './password.js';
import { type LaneName, PasswordChecks } from './password-checks.js';

const NETWORK = '192.0.2.1';
const ANOTHER = '192.0.2.2';

let hash: string;
beforeAll(async () => {
  hash = await hashPassword('correct horse');
});

function passwordChecks(): PasswordChecks {
  const metrics = new Metrics();
  return new PasswordChecks(metrics, new LimitWatch(metrics));
}

interface Outcome {
  readonly answer: 'right' | 'wrong' | 'busy';
  readonly milliseconds: number;
}

/** Starts simultaneous guesses, the first of which is right. */
function guesses(checks: PasswordChecks, count: number, network: string, lane: LaneName = 'new'): Promise<Outcome>[] {
  const begin = performance.now();
  return Array.from({ length: count }, async (_, i) => {
    let answer: Outcome['answer'];
    try {
      const password = i === 0 ? 'correct horse' : `wrong ${i}`;
      answer = (await checks.verify({ passwordHash: hash, password, network, lane })) ? 'right' : 'wrong';
    } catch (error) {
      if (!(error instanceof ServiceBusyError)) throw error;
      answer = 'busy';
    }
    return { answer, milliseconds: performance.now() - begin };
  });
}

describe('among many simultaneous passwords', () => {
  it('those that would wait too long are refused at once, and others are accepted again later', async () => {
    const checks = passwordChecks();
    const answers = await Promise.all(guesses(checks, 300, NETWORK));
    expect(answers[0]?.answer).toBe('right');
    expect(answers.filter(({ answer }) => answer === 'wrong').length).toBeGreaterThan(1);
    const firstChecked = Math.min(
      ...answers.filter(({ answer }) => answer !== 'busy').map(({ milliseconds }) => milliseconds),
    );
    const refused = answers.filter(({ answer }) => answer === 'busy').map(({ milliseconds }) => milliseconds);
    expect(refused.filter((milliseconds) => milliseconds < firstChecked).length).toBeGreaterThan(200);
    // It throws if there is no capacity.
    checks.assertCapacity(NETWORK, 'new');
  });

  it('those from one network leave half of the places to others', async () => {
    const checks = passwordChecks();
    const flood = guesses(checks, 100, NETWORK);
    expect(() => {
      checks.assertCapacity(NETWORK, 'new');
    }).toThrow(ServiceBusyError);
    const [other] = await Promise.all(guesses(checks, 1, ANOTHER));
    expect(other?.answer).toBe('right');
    await Promise.all(flood);
  });

  it('those from new networks do not delay one from a known network', async () => {
    const checks = passwordChecks();
    const flood = Array.from({ length: 200 }, (_, i) => guesses(checks, 1, `198.51.100.${i}`)).flat();
    const [known] = await Promise.all(guesses(checks, 1, NETWORK, 'known'));
    expect(known?.answer).toBe('right');
    expect(known?.milliseconds).toBeLessThan(2_000);
    expect((await Promise.all(flood)).filter(({ answer }) => answer === 'busy').length).toBeGreaterThan(100);
  });
});
