import { Command } from 'commander';
import { isJson, print, type RunWith, withJson } from '../command-line/index.js';
import { isDatabaseUnavailable } from '../database/index.js';
import type { Finding } from '../health/index.js';
import { Doctor } from './doctor.service.js';

/** `offertory doctor`: what is wrong with the installation, and what to do about it. */
export function doctorCommand(run: RunWith): Command {
  return withJson(new Command('doctor'))
    .description('looks over the installation, and says of each fault what to do; exit status 1 if there is a fault')
    .action(async (_options: object, command: Command) => {
      const findings = await examine(run);
      if (isJson(command)) print(command, findings);
      else process.stdout.write(report(findings));
      if (findings.some(({ result }) => result === 'fault')) process.exitCode = 1;
    });
}

/** Where the application cannot even be opened, that is the finding. */
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

/** Other errors say themselves what to do: that migrations are lacking, or where the books were moved to. */
function notOpened(error: Error): Finding {
  const { name, message: found, cause } = error;
  if (name === 'InvalidConfigurationError') {
    const advice = 'Correct .env; .env.example says what each variable takes.';
    return { check: 'configuration', result: 'fault', found, advice };
  }
  if (!isDatabaseUnavailable(error) && !isDatabaseUnavailable(cause))
    return { check: 'database', result: 'fault', found };
  const advice = 'Is it running, and does DATABASE_URL say where? (docker compose ps, docker compose logs postgres)';
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
