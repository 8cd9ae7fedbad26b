import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SealAuditTrail } from '../../src/audit/seals/seal-audit-trail.service.js';
import { MetricsServer } from '../../src/metrics/index.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

/** Metrics of Prometheus itself and of its blackbox exporter. */
const OTHERS = ['up', 'probe_ssl_earliest_cert_expiry', 'probe_success'];
/** A metric in an expression, with what is in its braces. */
const SELECTOR = /\b((?:offertory|process|nodejs|probe)_\w+|up)\{([^}]*)\}/g;
/** A name that is a metric, whether or not it has braces. */
const NAME = /\b(?:offertory|process|nodejs|probe)_\w+|\bup\b/g;

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as { readonly panels: readonly Panel[] };
const charts = dashboard.panels.filter(({ type }) => type !== 'row');

/** The expressions of prometheus-rules.yml by the names of their alerts. A folded expression is one line here. */
const rules = new Map(
  [...read('deploy/prometheus-rules.yml').matchAll(/- alert: (\w+)\n +expr: ((?:.|\n)+?)\n +(?:for|labels):/g)].map(
    ([, name = '', expression = '']) =>
      [
        name,
        expression
          .replace(/^>-/, '')
          .replaceAll(/\s*\n\s*/g, ' ')
          .trim(),
      ] as const,
  ),
);

let service: TestApp;
/** The labels of each metric. */
const exposed = new Map<string, Set<string>>();

beforeAll(async () => {
  service = await startTestApp();
  await service.add().expect(200);
  await service.add({ Amount: '0' }).expect(400);
  const { ContributionId } = (await service.add().expect(200)).body as { ContributionId: number };
  await service.reverse(`${ContributionId}/exposed`).expect(200);
  // A metric of the audit trail is there only after the first seal.
  await service.app.get(SealAuditTrail, { strict: false }).sealAll();
  const url = (await service.app.get(MetricsServer).start({ port: 0, host: '127.0.0.1', names: [] })) ?? '';
  for (const [, name = '', labels = ''] of (await (await fetch(url)).text()).matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = exposed.get(name) ?? new Set(['job', 'instance']);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    exposed.set(name, known);
  }
});
afterAll(() => service.stop());

/** The faults of an expression: metrics and labels that do not exist, and metrics without a job. */
function faultsOf(expression: string): string[] {
  const withoutTexts = expression.replaceAll(/"[^"]*"/g, '""');
  const names = withoutTexts.match(NAME) ?? [];
  const selectors = [...withoutTexts.matchAll(SELECTOR)];
  const unknown = names.filter((name) => !exposed.has(name) && !OTHERS.includes(name));
  const labels = selectors.flatMap(([, name = '', braces = '']) =>
    [...braces.matchAll(/(\w+)(?:=|!)/g)]
      .map(([, label = '']) => label)
      .filter((label) => exposed.get(name)?.has(label) === false)
      .map((label) => `${name} has no label ${label}`),
  );
  const jobless = selectors.filter(([, , braces = '']) => !braces.startsWith('job=')).map(([all]) => all);
  return [...unknown, ...labels, ...jobless, ...(selectors.length < names.length ? ['a metric without a job'] : [])];
}

describe('the alerts', () => {
  it('are explained in docs/operating.md', () => {
    expect(rules.size).toBeGreaterThan(15);
    expect(read('deploy/prometheus-rules.yml').match(/- alert:/g)).toHaveLength(rules.size);
    const section = read('docs/operating.md').split('### Alerts\n')[1] ?? '';
    const explained = [...section.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
    expect(explained.sort()).toEqual([...rules.keys()].sort());
  });

  it.each([...rules])('%s uses metrics and labels that exist, of the job of the service', (_name, expression) => {
    expect(faultsOf(expression)).toEqual([]);
  });
});

describe('the dashboard for Grafana', () => {
  it('has panels with titles and units, which fill rows and do not overlap', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const taken = new Set<string>();
    for (const { title, fieldConfig, type, gridPos } of dashboard.panels) {
      expect([title, fieldConfig?.defaults.unit ?? type]).toEqual([
        expect.stringMatching(/./),
        expect.stringMatching(/./),
      ]);
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, taken.has(`${x}/${y}`)]).toEqual([title, false]);
          taken.add(`${x}/${y}`);
        }
      }
    }
    expect(dashboard.panels.filter(({ type }) => type === 'row').length).toBeGreaterThan(3);
    expect(charts.filter(({ fieldConfig }) => fieldConfig === undefined)).toEqual([]);
  });

  it.each(charts)('has metrics and labels that exist, of the chosen job: $title', ({ targets = [] }) => {
    expect(targets).not.toEqual([]);
    for (const { expr } of targets) expect([expr, faultsOf(expr)]).toEqual([expr, []]);
  });

  it('shows every metric of the service', () => {
    const shown = new Set(charts.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr.match(NAME) ?? [])));
    const names = new Set([...exposed.keys()].filter((name) => name.startsWith('offertory_')));
    const missing = [...names].filter((name) => !shown.has(name) && !/_(bucket|sum|count)$/.test(name));
    // For the auditor, not for graphs: it has the hash of the latest seal.
    expect(missing.sort()).toEqual([
      'offertory_audit_seal_info',
      'offertory_audit_unsealed_entries',
      'offertory_finance_recipients',
      'offertory_webhook_endpoints',
    ]);
  });
});

describe('the unit for systemd', () => {
  const unit = read('deploy/offertory.service');
  const settings = new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

  it('starts the built program as npm run start:prod does, with the settings in .env', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(settings.get('ExecStart')).toBe(`/usr/bin/${scripts['start:prod'] ?? ''}`);
    expect(settings.get('EnvironmentFile')).toBe(`${settings.get('WorkingDirectory') ?? ''}/.env`);
    expect(settings.get('Environment')).toBe(`DATA_DIR=/var/lib/${settings.get('StateDirectory') ?? ''}`);
  });

  it('gives the service few rights, and time to stop', () => {
    expect(Object.fromEntries(settings)).toMatchObject({
      ...{ User: 'offertory', NoNewPrivileges: 'true', CapabilityBoundingSet: '', ProtectSystem: 'strict' },
      ...{ ProtectHome: 'true', PrivateTmp: 'true', PrivateDevices: 'true', SystemCallFilter: '@system-service' },
      ...{ KillMode: 'mixed', Restart: 'on-failure' },
    });
    // Node compiles JavaScript in memory.
    expect(settings.has('MemoryDenyWriteExecute')).toBe(false);
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(10);
  });

  const systemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  (systemd ? it : it.skip)('is accepted by systemd (skipped only without systemd-analyze)', () => {
    const directory = mkdtempSync(join(tmpdir(), 'offertory-unit-'));
    try {
      const path = join(directory, 'offertory.service');
      // The user and the directory of an installation do not exist on this machine.
      copyFileSync(new URL('deploy/offertory.service', ROOT), path);
      writeFileSync(path, unit.replace('/usr/bin/node', process.execPath));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
        encoding: 'utf8',
      });
      expect([status, stdout + stderr]).toEqual([0, '']);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
