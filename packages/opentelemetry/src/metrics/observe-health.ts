import type { GenerationService } from '@genmount/core'
import type { Meter, Observer } from '../client/meter.ts'

/** Reports the health of a service as gauges. @returns a function that stops the reports */
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
  const lag = gauge('genmount.due.lag', 's', 'How long the oldest due job has waited.')
  const waiters = gauge(
    'genmount.waiters',
    '{request}',
    'Requests that are held open in this process until their jobs have finished.',
  )
  const steps = gauge('genmount.provider.steps', '{step}', 'Steps of jobs that are running in this process.')
  const waiting = gauge(
    'genmount.provider.steps_waiting',
    '{step}',
    'Steps that wait for free capacity at the provider.',
  )
  const breaker = gauge(
    'genmount.provider.breaker_open',
    '1',
    'Whether the provider gets no new jobs at present: 1 or 0.',
  )
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
