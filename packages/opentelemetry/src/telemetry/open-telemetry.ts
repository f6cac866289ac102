import {
  type Check,
  checkObject,
  checkOptions,
  choice,
  type FileStore,
  type GenerationService,
  type JobTransition,
  optional,
  type OptionTable,
  type Provider,
  type RouteOrder,
  type WebhookSender,
} from '@genmount/core'
import type { Meter } from '../client/meter.ts'
import type { Tracer } from '../client/tracer.ts'
import { jobMetrics } from '../metrics/job-metrics.ts'
import { observeHealth } from '../metrics/observe-health.ts'
import { tracedCalls } from '../spans/traced-calls.ts'
import { tracedFiles } from '../spans/traced-files.ts'
import { tracedOrder } from '../spans/traced-order.ts'
import { tracedProvider } from '../spans/traced-provider.ts'
import { tracedWebhooks } from '../spans/traced-webhooks.ts'

/** The options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** Makes the spans, such as `trace.getTracer('my-app')` of `@opentelemetry/api`. @default no spans */
  readonly tracer?: Tracer | undefined
  /** Makes the metrics, such as `metrics.getMeter('my-app')`. @default no metrics */
  readonly meter?: Meter | undefined
  /**
   * With `prompts`, the span of each submit contains the prompt as `gen_ai.input.messages`. Prompts may be personal
   * data.
   * @default 'none'
   */
  readonly content?: 'none' | 'prompts' | undefined
}

/** The parts that trace and measure a service. */
export interface OpenTelemetry {
  /**
   * Wraps a provider, so that each call makes a span. The span is active during the call, so the spans of an
   * instrumented `fetch` are its children. The same argument returns the same wrapper.
   */
  provider(provider: Provider): Provider
  /** Wraps a file store, so that each put and each delete makes a span. */
  files(files: FileStore): FileStore
  /** Wraps the `order` of a routed model, so that each choice makes a span with the first route and the reason. */
  routeOrder(order: RouteOrder): RouteOrder
  /** Wraps the sender of the plugin `webhooks`, so that each try of a delivery makes a span. */
  webhooks(sender: WebhookSender): WebhookSender
  /** Counts jobs, measures how long they take, and adds up their cost. Pass it to the service as `onTransition`. */
  onTransition(transition: JobTransition): void
  /**
   * Reports the health of a service each time the SDK collects metrics.
   * @returns a function that stops the reports. Call it before you close the service
   */
  observe(service: Pick<GenerationService, 'health'>): () => void
}

const checkTracer: Check<Tracer> = (name, value) => {
  const tracer = checkObject(name, value, ' such as trace.getTracer("my-app")') as unknown as Tracer
  if (typeof tracer.startActiveSpan === 'function') return tracer
  throw new TypeError(`${name} must be a tracer such as trace.getTracer("my-app"): it lacks startActiveSpan.`)
}

const checkMeter: Check<Meter> = (name, value) => {
  const meter = checkObject(name, value, ' such as metrics.getMeter("my-app")') as unknown as Meter
  if (typeof meter.createHistogram === 'function') return meter
  throw new TypeError(`${name} must be a meter such as metrics.getMeter("my-app"): it lacks createHistogram.`)
}

const table = {
  tracer: optional(checkTracer),
  meter: optional(checkMeter),
  content: optional(choice('none', 'prompts'), 'none'),
} satisfies OptionTable<OpenTelemetryOptions>

/**
 * Makes spans and metrics of a service for OpenTelemetry. This package needs no package of OpenTelemetry, because the
 * app passes its own `tracer` and `meter`. The names follow the semantic conventions for generative AI as of November
 * 2026, which are in development. Names that begin with `genmount.` are our own.
 * @throws TypeError when an option is wrong
 * @example
 * const telemetry = openTelemetry({ tracer: trace.getTracer('my-app'), meter: metrics.getMeter('my-app') })
 * const service = createGenerationService({
 *   providers: [telemetry.provider(falProvider({ token, models }))],
 *   files: telemetry.files(diskFiles({ folder: 'outputs' })),
 *   onTransition: telemetry.onTransition,
 * })
 * const stopObserving = telemetry.observe(service)
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): OpenTelemetry {
  const { tracer, meter, content } = checkOptions('openTelemetry', options, table)
  const calls = tracedCalls(tracer, meter)
  const tracedProviders = new WeakMap<Provider, Provider>()
  return {
    provider(provider) {
      const traced = tracedProviders.get(provider) ?? tracedProvider(provider, calls, content === 'prompts')
      tracedProviders.set(provider, traced)
      return traced
    },
    files: (files) => (tracer ? tracedFiles(files, tracer) : files),
    routeOrder: (order) => (tracer ? tracedOrder(order, tracer) : order),
    webhooks: (sender) => (tracer ? tracedWebhooks(sender, tracer) : sender),
    onTransition: meter ? jobMetrics(meter) : () => {},
    observe: (service) => (meter ? observeHealth(meter, service) : () => {}),
  }
}
