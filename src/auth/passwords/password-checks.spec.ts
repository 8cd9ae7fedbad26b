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

interface Guesser {
  readonly network?: string;
  readonly username?: string;
  readonly lane?: LaneName;
}

/** Starts simultaneous guesses, the first of which is right. */
function guesses(
  checks: PasswordChecks,
  count: number,
  { network = NETWORK, username = 'api', lane = 'new' }: Guesser,
): Promise<Outcome>[] {
  const begin = performance.now();
  return Array.from({ length: count }, async (_, i) => {
    let answer: Outcome['answer'];
    try {
      const password = i === 0 ? 'correct horse' : `wrong ${i}`;
      answer = (await checks.verify({ passwordHash: hash, password, username, network, lane })) ? 'right' : 'wrong';
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
    const answers = await Promise.all(guesses(checks, 300, {}));
    expect(answers[0]?.answer).toBe('right');
    expect(answers.filter(({ answer }) => answer === 'wrong').length).toBeGreaterThan(1);
    const firstChecked = Math.min(
      ...answers.filter(({ answer }) => answer !== 'busy').map(({ milliseconds }) => milliseconds),
    );
    const refused = answers.filter(({ answer }) => answer === 'busy').map(({ milliseconds }) => milliseconds);
    expect(refused.filter((milliseconds) => milliseconds < firstChecked).length).toBeGreaterThan(200);
    // It throws if there is no capacity.
    checks.assertCapacity({ username: 'api', network: NETWORK }, 'new');
  });

  it('those from one network leave half of the places to others', async () => {
    const checks = passwordChecks();
    const flood = Array.from({ length: 100 }, (_, i) => guesses(checks, 1, { username: `name ${i}` })).flat();
    expect(() => {
      checks.assertCapacity({ username: 'api', network: NETWORK }, 'new');
    }).toThrow(ServiceBusyError);
    const [other] = await Promise.all(guesses(checks, 1, { network: ANOTHER }));
    expect(other?.answer).toBe('right');
    await Promise.all(flood);
  });

  it('those for one user name leave half of the places to others', async () => {
    const checks = passwordChecks();
    const flood = Array.from({ length: 100 }, (_, i) =>
      guesses(checks, 1, { network: `198.51.100.${i}`, lane: 'known' }),
    ).flat();
    expect(() => {
      checks.assertCapacity({ username: 'api', network: ANOTHER }, 'known');
    }).toThrow(ServiceBusyError);
    const [other] = await Promise.all(guesses(checks, 1, { username: 'other', network: ANOTHER, lane: 'known' }));
    expect(other?.answer).toBe('right');
    await Promise.all(flood);
  });

  it('those from new networks do not delay one from a known network', async () => {
    const checks = passwordChecks();
    const flood = Array.from({ length: 200 }, (_, i) =>
      guesses(checks, 1, { network: `198.51.100.${i}`, username: `name ${i}` }),
    ).flat();
    const [known] = await Promise.all(guesses(checks, 1, { lane: 'known' }));
    expect(known?.answer).toBe('right');
    expect(known?.milliseconds).toBeLessThan(2_000);
    expect((await Promise.all(flood)).filter(({ answer }) => answer === 'busy').length).toBeGreaterThan(100);
  });
});
