/** Alert rules and the dashboard: their syntax, and that the metrics that they name exist. */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freshFolder } from '../support/folders.ts';
import { promtool } from '../support/tools.ts';
import { read, root } from './files.ts';

interface Panel {
  title: string;
  targets: { expr: string }[];
}

const alerts: { alert: string; expr: string; annotations: { summary: string } }[] = parse(
  read('deploy/prometheus/alerts.yml'),
).groups[0].rules;
const dashboard: { panels: Panel[] } = JSON.parse(read('deploy/grafana/dashboards/tapeworks.json'));
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Writes a file and returns what promtool says of it. */
function checked(command: string[], name: string, text: string): string {
  const path = join(freshFolder(), name);
  writeFileSync(path, text);
  const { status, stdout, stderr } = spawnSync(String(promtool), [...command, path], {
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

it('every metric is one that a server has', () => {
  const documented = read('docs/operations.md').match(/`(?:tapeworks|nodejs|process)_\w+`/g) ?? [];
  const known = new Set([...documented.map((name) => name.slice(1, -1)), 'up']);
  const named = [...queries, ...alerts.map(({ expr }) => expr)].flatMap(
    (expr) => expr.match(/\b(?:tapeworks|nodejs|process|up)_?\w*(?=[{[)\s]|$)/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(25);
  const unknown = named.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')));
  expect(unknown).toEqual([]);
});

it('every alert is listed in the documentation', () => {
  const page = read('docs/operations.md');
  expect(alerts.map(({ alert }) => alert).filter((name) => !page.includes(`\`${name}\``))).toEqual(
    [],
  );
});

describe.skipIf(!promtool)('Prometheus', () => {
  it('accepts its settings and the rules', () => {
    const folder = freshFolder();
    cpSync(join(root, 'deploy/prometheus'), folder, { recursive: true });
    const token = join(folder, 'token');
    writeFileSync(token, 'x');
    const path = join(folder, 'prometheus.yml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('/run/secrets/admin_token', token));
    const said = execFileSync(String(promtool), ['check', 'config', path], { encoding: 'utf8' });
    expect(said).toContain(`${alerts.length} rules found`);
  });

  it('reads every query of the dashboard', () => {
    const rules = queries.map((expr, i) => ({ record: `query:${i}`, expr }));
    const said = checked(
      ['check', 'rules'],
      'queries.json',
      JSON.stringify({ groups: [{ name: 'q', rules }] }),
    );
    expect(said).toContain(`${queries.length} rules found`);
  });

  it('raises one alert for a failed job that three servers see or for a first error, and none for a healthy fleet', () => {
    const servers = ['api-1', 'api-2', 'api-3'];
    const dead = (count: number) =>
      servers.map((instance) => ({
        series: `tapeworks_jobs{job="tapeworks",instance="${instance}",queue="load",state="dead"}`,
        values: `${count}x10`,
      }));
    const up = servers.map((instance) => ({
      series: `up{job="tapeworks",instance="${instance}"}`,
      values: '1x10',
    }));
    const jobsFailed = (exp_alerts: unknown[]) => [
      { eval_time: '5m', alertname: 'TapeworksJobsFailed', exp_alerts },
    ];
    const raised = {
      exp_labels: { severity: 'warning', queue: 'load' },
      exp_annotations: {
        summary: 'Jobs of load failed: tapeworks jobs list --dead has the reason',
      },
    };
    // A counter begins with its first error, of which a rate sees no change.
    const errors = {
      series:
        'tapeworks_http_request_duration_seconds_count{job="tapeworks",instance="api-1",route="/v1/svc/screener",method="GET",status="5xx"}',
      values: '_x5 1x20',
    };
    const error = {
      exp_labels: { severity: 'critical', instance: 'api-1', route: '/v1/svc/screener' },
      exp_annotations: {
        summary:
          '/v1/svc/screener responds with 5xx on api-1: the log has the reason, by request_id',
      },
    };
    const ofErrors = (eval_time: string, exp_alerts: unknown[]) => ({
      ...{ eval_time, alertname: 'TapeworksErrors', exp_alerts },
    });
    const firstError = [ofErrors('4m', []), ofErrors('7m', [error]), ofErrors('20m', [])];
    const none = alerts.map(({ alert }) => ({ eval_time: '5m', alertname: alert, exp_alerts: [] }));
    const tests = [
      { interval: '1m', input_series: [...up, ...dead(1)], alert_rule_test: jobsFailed([raised]) },
      { interval: '1m', input_series: [...up, ...dead(0)], alert_rule_test: none },
      { interval: '1m', input_series: [...up, errors], alert_rule_test: firstError },
    ];
    const rule_files = [join(root, 'deploy/prometheus/alerts.yml')];
    checked(['test', 'rules'], 'test.json', JSON.stringify({ rule_files, tests }));
  });
});

it('the dashboard has a query in every panel, and one place for each', () => {
  expect(dashboard.panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
  const titles = dashboard.panels.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  expect(readdirSync(join(root, 'deploy/grafana/dashboards'))).toEqual(['tapeworks.json']);
});
