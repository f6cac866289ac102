import type { GenerationService } from '@genmount/core'
import type { Meter, Observer } from '../client/meter.ts'

/** Observes the health of a service as gauges. @returns a function that ends this */
export function observeHealth(meter: Meter, service: Pick<GenerationService, 'health'>): () => void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(name, { unit, description })
  const isReachable = gauge('genmount.store.reachable', '1', 'Whether the job store answers: 1 or 0.')
  const latency = gauge('genmount.store.latency', 's', 'How long the job store takes to list the due jobs.')
  const due = gauge(
    'genmount.due.jobs',
    '{job}',
    'Jobs that wait for a step that could begin now, up to 100.',
  )
  const lag = gauge('genmount.due.lag', 's', 'For how long the first of them has waited.')
  const waiters = gauge('genmount.waiters', '{request}', 'Requests that wait in this process.')
  const steps = gauge(
    'genmount.provider.steps',
    '{step}',
    'Steps of jobs that are under way in this process.',
  )
  const waiting = gauge('genmount.provider.steps_waiting', '{step}', 'Steps that wait for a place.')
  const breaker = gauge('genmount.provider.breaker_open', '1', 'Whether no new jobs are given: 1 or 0.')
  const gauges = [isReachable, latency, due, lag, waiters, steps, waiting, breaker]

  async function observe(result: Observer): Promise<void> {
    const health = await service.health()
    result.observe(isReachable, health.store.isReachable ? 1 : 0)
    result.observe(latency, health.store.latencyMs / 1000)
    if (health.due) {
      result.observe(due, health.due.count)
      result.observe(lag, health.due.oldestLagMs / 1000)
    }
    result.observe(waiters, health.waiters)
    for (const provider of health.providers) {
      const attributes = { 'gen_ai.provider.name': provider.name }
      result.observe(steps, provider.stepsUnderWay, attributes)
      result.observe(waiting, provider.stepsWaiting, attributes)
      result.observe(breaker, provider.breaker === 'open' ? 1 : 0, attributes)
    }
  }

  meter.addBatchObservableCallback(observe, gauges)
  return () => meter.removeBatchObservableCallback(observe, gauges)
}
