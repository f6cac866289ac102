import { createGenerationService, memoryBackend, memoryFileStore } from '@genmount/core'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { Meter } from '../client/meter.ts'
import type { Span, Tracer } from '../client/tracer.ts'
import { openTelemetry } from './open-telemetry.ts'

const broken = (): never => {
  throw new Error('The exporter is gone.')
}
const span: Span = { setAttributes: () => {}, setStatus: () => {}, end: () => {} }
const tracing = (changes: Partial<Span>): Tracer => ({
  startActiveSpan: (_name, _options, run) => run({ ...span, ...changes }),
})
const meter: Meter = {
  createCounter: () => ({ add: broken }),
  createHistogram: () => ({ record: broken }),
  createObservableGauge: () => ({}),
  addBatchObservableCallback: () => {},
  removeBatchObservableCallback: () => {},
}

test.each<[string, Parameters<typeof openTelemetry>[0]]>([
  ['a tracer that starts no span', { tracer: { startActiveSpan: broken } }],
  ['spans that take no attributes', { tracer: tracing({ setAttributes: broken }) }],
  ['spans that can not end', { tracer: tracing({ end: broken }) }],
  [
    'a tracer that fails after the call',
    {
      tracer: {
        startActiveSpan(_name, _options, run) {
          run(span)
          return broken()
        },
      },
    },
  ],
  ['a meter that takes no value', { meter }],
])('a paid job is made once and completes, also with %s', async (_what, options) => {
  const telemetry = openTelemetry(options)
  const clock = manualClock()
  const fake = fakeProvider({ clock, behave: [{ delayMs: 3000, costUsd: 0.25 }] })
  const service = createGenerationService({
    providers: [telemetry.provider(fake)],
    backend: memoryBackend({ clock }),
    files: telemetry.files(memoryFileStore()),
    onTransition: telemetry.onTransition,
    clock,
    log: quietLog(),
  })
  const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
  const { job } = await service.create(request)
  await clock.advance(60_000)
  expect(await service.get(job.id, 'alice')).toMatchObject({ phase: 'completed', costUsd: 0.25 })
  expect(fake.submits).toHaveLength(1)
  await service.close()
})
