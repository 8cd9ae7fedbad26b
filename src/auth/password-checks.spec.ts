import { expect, it } from '@jest/globals';
import { ServiceBusyError } from '../http/index.js';
import { Metrics } from '../metrics/index.js';
import { hashPassword } from './password.js';
import { PasswordChecks } from './password-checks.js';

it('refuses at once what would wait too long, and checks the rest', async () => {
  const checks = new PasswordChecks(new Metrics());
  const hash = await hashPassword('correct horse');
  const begin = performance.now();
  const outcomes = Array.from({ length: 300 }, (_, i) =>
    checks.verify(hash, i === 0 ? 'correct horse' : `wrong ${i}`).then(
      (right) => [String(right), performance.now() - begin] as const,
      (error: unknown) => [error instanceof ServiceBusyError ? 'busy' : 'fault', performance.now() - begin] as const,
    ),
  );
  expect(() => {
    checks.assertRoom();
  }).toThrow(ServiceBusyError);
  const answers = await Promise.all(outcomes);
  const busy = answers.filter(([answer]) => answer === 'busy');
  const wrong = answers.filter(([answer]) => answer === 'false');
  expect(answers[0]?.[0]).toBe('true');
  expect(wrong.length).toBeGreaterThan(20);
  expect(wrong.length + busy.length).toBe(299);
  // Nobody that is refused has waited for anybody's check.
  const firstChecked = Math.min(...wrong.map(([, milliseconds]) => milliseconds));
  expect(Math.max(...busy.map(([, milliseconds]) => milliseconds))).toBeLessThan(firstChecked);

  checks.assertRoom();
  expect(await checks.verify(hash, 'correct horse')).toBe(true);
});
