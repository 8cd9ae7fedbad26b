import { Command } from 'commander';
import { isJson, print, type RunWith, withJson } from '../command-line/index.js';
import { isDatabaseUnavailable } from '../database/index.js';
import type { Finding } from '../health/index.js';
import { Doctor } from './doctor.service.js';

/** `offertory doctor`: checks the installation. */
export function doctorCommand(run: RunWith): Command {
  return withJson(new Command('doctor'))
    .description('checks the installation, and says what to do about each fault; exit status 1 if there is a fault')
    .action(async (_options: object, command: Command) => {
      const findings = await examine(run);
      if (isJson(command)) print(command, findings);
      else process.stdout.write(report(findings));
      if (findings.some(({ result }) => result === 'fault')) process.exitCode = 1;
    });
}

/** If the application cannot be opened, that becomes a finding. */
async function examine(run: RunWith): Promise<readonly Finding[]> {
  let findings: readonly Finding[] = [];
  try {
    await run(Doctor, async (doctor) => {
      findings = await doctor.examine();
    });
    return findings;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [...findings, notOpened(error)];
  }
}

/** The finding when the application cannot be opened. Most messages already say what to do. */
function notOpened(error: Error): Finding {
  const { name, message: found, cause } = error;
  if (name === 'InvalidConfigurationError') {
    const advice = 'Correct .env. See .env.example for the values of each variable.';
    return { check: 'configuration', result: 'fault', found, advice };
  }
  if (!isDatabaseUnavailable(error) && !isDatabaseUnavailable(cause))
    return { check: 'database', result: 'fault', found };
  const advice = 'Is it running, and is DATABASE_URL correct? (docker compose ps, docker compose logs postgres)';
  return { check: 'database', result: 'fault', found, advice };
}

const MARK = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const;

function report(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(MARK.ok.length + 2 + width + 2);
  const lines = findings.map(({ check, result, found, advice }) => {
    const line = `${MARK[result]}  ${check.padEnd(width)}  ${found.replace(/\n */g, `\n${indent}`)}\n`;
    return advice === undefined ? line : `${line}${indent}${advice}\n`;
  });
  const count = (result: Finding['result']): string => {
    const { length } = findings.filter((finding) => finding.result === result);
    return `${length} ${result}${length === 1 ? '' : 's'}`;
  };
  return `${lines.join('')}\n${count('fault')}, ${count('warning')}\n`;
}
