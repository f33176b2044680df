import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RequestContext } from '../../../../src/api/http/request-context.ts';
import type { MetricFamily } from '../../../../src/api/operator/metrics/family.ts';
import { metricsLimits } from '../../../../src/api/operator/metrics/limits.ts';
import {
  createRequestMetrics,
  newMetricMemory,
} from '../../../../src/api/operator/metrics/request-metrics.ts';
import { startThreadMetrics } from '../../../../src/api/operator/metrics/thread-metrics.ts';

afterEach(() => void vi.useRealTimers());

const exchange = (route: number, method: string) =>
  ({ route, method, key: undefined }) as unknown as RequestContext;

function sampleOf(families: readonly MetricFamily[], metricName: string, labels = {}) {
  const values = families.flatMap((one) =>
    one.values.map((value) => ({ ...value, metricName: value.metricName ?? one.name })),
  );
  return values.find(
    (one) =>
      one.metricName === metricName &&
      Object.entries(labels).every(([name, text]) => one.labels[name] === text),
  )?.value;
}

describe('requests', () => {
  const duration = 'tapeworks_http_request_duration_seconds';

  it('are the sum of all threads, in buckets by their bounds', () => {
    const memory = newMetricMemory(2);
    const [one, other] = [0, 1].map((own) => createRequestMetrics(memory, own));
    const route = one.routeNumber('/a');
    expect(other.routeNumber('/a')).toBe(route);
    one.count(exchange(route, 'GET'), 200, 0.5);
    other.count(exchange(route, 'GET'), 200, 0.6);
    other.count(exchange(route, 'GET'), 200, 20_000);
    for (const { families } of [one, other]) {
      const bucket = (le: string) => sampleOf(families(), `${duration}_bucket`, { le });
      expect(bucket('0.0005')).toBe(1);
      expect(bucket('0.001')).toBe(2);
      expect(bucket('10')).toBe(2);
      expect(bucket('+Inf')).toBe(3);
      expect(sampleOf(families(), `${duration}_sum`)).toBeCloseTo(20.0011, 9);
    }
  });

  it('of a restarted thread go on', () => {
    const memory = newMetricMemory(1);
    for (let start = 0; start < 2; start++) {
      const metrics = createRequestMetrics(memory, 0);
      metrics.count(exchange(metrics.routeNumber('/a'), 'GET'), 404, 1);
      const count = sampleOf(metrics.families(), `${duration}_count`, { status: '4xx' });
      expect(count).toBe(start + 1);
    }
  });

  it('have room for a fixed number of routes', () => {
    const metrics = createRequestMetrics(newMetricMemory(1), 0);
    for (let i = 1; i < metricsLimits.routesMax; i++) metrics.routeNumber(`/${i}`);
    expect(() => metrics.routeNumber('/more')).toThrow(/room to count every route/);
    const last = exchange(metricsLimits.routesMax - 1, 'PURGE');
    metrics.count(last, 599, 1);
    const labels = { method: 'other', status: '5xx' };
    expect(sampleOf(metrics.families(), `${duration}_count`, labels)).toBe(1);
  });
});

describe('the event loop', () => {
  it('of a blocked thread reports lag', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const metrics = startThreadMetrics(newMetricMemory(2), 0, () => 3);
    let families = metrics.families();
    let lag = 0;
    // Its clock ticks natively, between turns of the loop, and may miss a turn on a busy machine.
    while (!(lag > 0.15)) {
      await delay(3 * metricsLimits.lagResolutionMs);
      const startMs = performance.now();
      while (performance.now() - startMs < 200);
      await delay(3 * metricsLimits.lagResolutionMs);
      vi.advanceTimersByTime(metricsLimits.sampleMs);
      families = metrics.families();
      lag = Number(sampleOf(families, 'nodejs_eventloop_lag_max_seconds'));
    }
    metrics.stop();
    expect(sampleOf(families, 'nodejs_eventloop_utilization')).toBeGreaterThan(0.3);
    expect(sampleOf(families, 'tapeworks_streams_open')).toBe(3);
    // The other thread has not said anything.
    const lags = families.find(({ name }) => name === 'nodejs_eventloop_lag_max_seconds');
    expect(lags?.values.map(({ labels }) => labels.thread)).toEqual(['1']);
  });
});
