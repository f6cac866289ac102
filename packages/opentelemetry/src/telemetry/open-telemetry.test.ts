import { webhooks } from '@genmount/core/webhooks'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { byWeight, createGenerationService, memoryBackend, memoryFileStore, routeModel } from '@genmount/core'
import {
  fakeProvider,
  fakeWebhooks,
  fakeWorld,
  manualClock,
  quietLog,
  type FakeProviderOptions,
} from '@genmount/testing'
import { beforeAll, expect, test } from 'vitest'
import { openTelemetry, type OpenTelemetryOptions } from './open-telemetry.ts'

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))

/** A service that is traced and measured with OpenTelemetry's own SDK. */
function tracedService(behave: FakeProviderOptions['behave'], options: OpenTelemetryOptions = {}) {
  const spans = new InMemorySpanExporter()
  const tracing = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const metering = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
  const tracer = tracing.getTracer('test')
  const telemetry = openTelemetry({ tracer, meter: metering.getMeter('test'), ...options })
  const clock = manualClock()
  const provider = telemetry.provider(fakeProvider({ clock, ...(behave && { behave }), cancel: true }))
  const service = createGenerationService({
    providers: [provider],
    backend: memoryBackend({ clock }),
    files: telemetry.files(memoryFileStore()),
    onTransition: telemetry.onTransition,
    clock,
    log: quietLog(),
  })
  const create = () =>
    service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox', num_outputs: 2 } })
  const metric = async (name: string) => {
    await metering.forceFlush()
    const collected = exporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap(({ metrics }) => metrics)
    return collected?.find(({ descriptor }) => descriptor.name === name)
  }
  return { service, telemetry, clock, spans, create, metric, tracer }
}

test('each call to a provider and each read or write of a file is a span with the names of the conventions', async () => {
  const { service, clock, spans, create } = tracedService([{ delayMs: 3000, costUsd: 0.25 }])
  const { job } = await create()
  await clock.advance(10_000)
  const all = spans.getFinishedSpans()
  const names = all.map(({ name }) => name)
  expect(names[0]).toBe('generate_content fake-image')
  expect(names.filter((name) => name === 'store file')).toHaveLength(2)
  expect(all[0]?.attributes).toEqual({
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.provider.name': 'fake',
    'gen_ai.request.model': 'fake-image',
    'gen_ai.output.type': 'image',
    'genmount.call': 'submit',
    'genmount.job.id': job.id,
    'genmount.report.state': 'running',
  })
  const lastPoll = all.findLast(({ name }) => name === 'poll fake-image')
  expect(lastPoll?.attributes).toMatchObject({
    'genmount.report.state': 'succeeded',
    'genmount.cost_usd': 0.25,
  })
  await service.close()
})

test('no span has a prompt or another part of the input, unless the app asks for prompts', async () => {
  const silent = tracedService([{}])
  await silent.create()
  await silent.clock.advance(1000)
  expect(JSON.stringify(silent.spans.getFinishedSpans().map((span) => span.attributes))).not.toContain(
    'a fox',
  )
  await silent.service.close()

  const asked = tracedService([{}], { content: 'prompts' })
  await asked.create()
  await asked.clock.advance(1000)
  const messages = String(asked.spans.getFinishedSpans()[0]?.attributes['gen_ai.input.messages'])
  expect(JSON.parse(messages)).toEqual([{ role: 'user', parts: [{ type: 'text', content: 'a fox' }] }])
  await asked.service.close()
})

test.each([
  ['failed', { failure: { code: 'content_policy', message: 'Not that.' } }, 'content_policy', 'Not that.'],
  ['threw', { submit: 'server_error' }, 'Error', expect.any(String)],
  ['was refused', { submit: { report: { state: 'refused', message: 'Busy.' } } }, 'refused', 'Busy.'],
] as const)('a submit that %s is a span with an error', async (_what, behaviour, errorType, message) => {
  const { service, clock, spans, create } = tracedService([behaviour])
  await create()
  await clock.advance(100)
  const [submit] = spans.getFinishedSpans()
  expect(submit?.attributes['error.type']).toBe(errorType)
  expect(submit?.status).toEqual({ code: SpanStatusCode.ERROR, message })
  await service.close()
})

test('spans that a provider starts during a call have the span of the call as parent', async () => {
  const { telemetry, tracer, spans } = tracedService([{}])
  const own = fakeProvider()
  const inner = telemetry.provider({
    ...own,
    async submit(task, call) {
      await Promise.resolve()
      tracer.startSpan('fetch').end()
      return own.submit(task, call)
    },
  })
  const service = createGenerationService({ providers: [inner], log: quietLog() })
  await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  await expect.poll(() => spans.getFinishedSpans().length).toBe(2)
  const [child, parent] = spans.getFinishedSpans()
  expect(child?.parentSpanContext?.spanId).toBe(parent?.spanContext().spanId)
  expect(trace.getActiveSpan()).toBeUndefined()
  await service.close()
})

test('each attempt of a webhook is a span with the host and status of the receiver, without the path', async () => {
  const { telemetry, spans } = tracedService([{}])
  let tries = 0
  const sender = telemetry.webhooks(fakeWebhooks(() => ({ status: tries++ === 0 ? 500 : 204 })))
  const { clock, create } = fakeWorld({}, { plugins: [webhooks(sender)] })
  const { id } = await create({ webhook_url: 'https://receiver.example/secret-path' })
  await clock.advance(60_000)
  const sent = spans.getFinishedSpans().filter(({ name }) => name === 'deliver job.completed')
  expect(sent.map(({ attributes }) => attributes)).toMatchObject([
    { 'http.response.status_code': 500, 'error.type': '500', 'genmount.job.id': id },
    { 'http.response.status_code': 204, 'server.address': 'receiver.example' },
  ])
  expect(sent[1]?.attributes['genmount.delivery.id']).toBe(sent[0]?.attributes['genmount.delivery.id'])
  expect(JSON.stringify(sent.map(({ attributes }) => attributes))).not.toContain('secret-path')
})

test('metrics count jobs, their durations and their costs by model and provider', async () => {
  const { service, clock, create, metric } = tracedService([
    { delayMs: 3000, costUsd: 0.25 },
    { costUsd: 0.5 },
    { failure: { code: 'provider_failed' }, costUsd: 0.125 },
  ])
  for (let index = 0; index < 3; index++) await create()
  await clock.advance(60_000)
  const ofModel = { 'gen_ai.request.model': 'fake-image', 'gen_ai.provider.name': 'fake' }
  const cost = await metric('genmount.job.cost')
  expect(cost?.dataPoints).toMatchObject([{ attributes: ofModel, value: 0.875 }])
  const durations = (await metric('genmount.job.duration'))?.dataPoints
  const counts = durations?.map(({ attributes, value }) => [attributes['error.type'], value])
  expect(counts).toContainEqual([undefined, expect.objectContaining({ count: 2 })])
  expect(counts).toContainEqual(['provider_failed', expect.objectContaining({ count: 1 })])
  const transitions = (await metric('genmount.job.transitions'))?.dataPoints ?? []
  const completed = transitions.find(({ attributes }) => attributes['genmount.job.phase'] === 'completed')
  expect(completed?.value).toBe(2)
  const calls = (await metric('gen_ai.client.operation.duration'))?.dataPoints ?? []
  expect(calls.map(({ attributes }) => attributes['genmount.call'])).toContain('poll')
  await service.close()
})

test('metrics show the health of a service until the app stops observing', async () => {
  const { service, telemetry, clock, create, metric } = tracedService([{ delayMs: 60_000 }])
  let asked = 0
  const stopObserving = telemetry.observe({ health: () => (asked++, service.health()) })
  await create()
  await clock.advance(100)
  expect((await metric('genmount.store.reachable'))?.dataPoints).toMatchObject([{ value: 1 }])
  expect((await metric('genmount.provider.breaker_open'))?.dataPoints).toMatchObject([
    { value: 0, attributes: { 'gen_ai.provider.name': 'fake' } },
  ])
  const before = asked
  stopObserving()
  await metric('genmount.store.reachable')
  expect(asked).toBe(before)
  await service.close()
})

test('openTelemetry keeps all other parts of a provider, and returns the same provider for each call', async () => {
  const { telemetry } = tracedService([{}])
  const own = fakeProvider({ dedupesSubmits: true })
  const traced = telemetry.provider(own)
  expect(telemetry.provider(own)).toBe(traced)
  expect(Object.keys(traced).toSorted()).toEqual(Object.keys(own).toSorted())
  expect([traced.name, traced.dedupesSubmits, traced.cancel]).toEqual(['fake', true, own.cancel])
})

test('openTelemetry without tracer and meter traces nothing, and throws an error for a wrong one', () => {
  const telemetry = openTelemetry()
  const files = memoryFileStore()
  expect(telemetry.files(files)).toBe(files)
  const wrong = (options: object) => () => openTelemetry(options)
  expect(wrong({ tracer: {} })).toThrow(
    'openTelemetry: tracer must be a tracer such as trace.getTracer("my-app")',
  )
  expect(wrong({ meter: 7 })).toThrow('openTelemetry: meter must be')
  expect(wrong({ content: 'all' })).toThrow('openTelemetry: content must be')
})

test('the choice of a route is a span with the route that is tried first, and why', async () => {
  const { telemetry, spans } = tracedService(undefined)
  const [acme, reserve] = ['acme', 'reserve'].map((name) => fakeProvider({ name }))
  const flux = routeModel({
    id: 'flux',
    routes: [
      { provider: acme!, model: 'fake-image' },
      { provider: reserve!, model: 'fake-image', weight: 0 },
    ],
    order: telemetry.routeOrder(byWeight()),
  })
  const service = createGenerationService({ providers: [flux], log: quietLog() })
  await service.create({ owner: 'alice', model: 'flux', input: { prompt: 'a fox' } })
  const span = spans.getFinishedSpans().find(({ name }) => name === 'order routes flux')
  expect(span?.attributes).toEqual({
    'gen_ai.request.model': 'flux',
    'genmount.route': 'acme/fake-image',
    'genmount.route.why': 'drawn by weight',
  })
  await service.close()
})
