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
  type Webhooks,
} from '@genmount/core'
import type { Meter } from '../client/meter.ts'
import type { Tracer } from '../client/tracer.ts'
import { jobMetrics } from '../metrics/job-metrics.ts'
import { observeHealth } from '../metrics/observe-health.ts'
import { tracedCalls } from '../spans/traced-calls.ts'
import { tracedFiles } from '../spans/traced-files.ts'
import { tracedProvider } from '../spans/traced-provider.ts'
import { tracedWebhooks } from '../spans/traced-webhooks.ts'

/** The options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** The tracer that makes the spans, such as `trace.getTracer('my-app')` of `@opentelemetry/api`. @default no spans */
  readonly tracer?: Tracer | undefined
  /** The meter that makes the metrics, such as `metrics.getMeter('my-app')`. @default no metrics */
  readonly meter?: Meter | undefined
  /**
   * `prompts` puts the prompt of each submit into its span, as `gen_ai.input.messages`. Prompts may be personal data.
   * @default 'none'
   */
  readonly content?: 'none' | 'prompts' | undefined
}

/** What a service is given, so that it is traced and measured. */
export interface OpenTelemetry {
  /**
   * The provider with a span for each call. The span is active during the call, so the spans of an instrumented `fetch`
   * are its children. The same provider is returned for the same argument.
   */
  provider(provider: Provider): Provider
  /** The file store with a span for each file that is stored or deleted. */
  files(files: FileStore): FileStore
  /** The webhooks with a span for each try of a delivery. */
  webhooks(webhooks: Webhooks): Webhooks
  /** Counts jobs, measures how long they take, and adds up what they cost. Give it to the service as `onTransition`. */
  onTransition(transition: JobTransition): void
  /**
   * Observes the health of a service each time that metrics are collected.
   * @returns a function that ends this. Call it before you close the service
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
 * Makes spans and metrics of a service for OpenTelemetry. It needs no package of OpenTelemetry: `tracer` and `meter` are
 * those of the app. The names follow the semantic conventions for generative AI as of November 2026, which are in
 * development; names that begin with `genmount.` are our own.
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
  const known = new WeakMap<Provider, Provider>()
  return {
    provider(provider) {
      const traced = known.get(provider) ?? tracedProvider(provider, calls, content === 'prompts')
      known.set(provider, traced)
      return traced
    },
    files: (files) => (tracer ? tracedFiles(files, tracer) : files),
    webhooks: (webhooks) => (tracer ? tracedWebhooks(webhooks, tracer) : webhooks),
    onTransition: meter ? jobMetrics(meter) : () => {},
    observe: (service) => (meter ? observeHealth(meter, service) : () => {}),
  }
}
