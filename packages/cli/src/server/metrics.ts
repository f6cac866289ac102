import type { GenerationService, JobTransition, Provider, RoutedModel } from '@genmount/core'
import { loaded } from './loaded.ts'
import type { ConfigFile } from './read-config.ts'

/** The metrics of a service. */
export interface Metrics {
  /** The providers, whose calls are measured. */
  measured(providers: readonly (Provider | RoutedModel)[]): readonly (Provider | RoutedModel)[]
  readonly onTransition: (transition: JobTransition) => void | Promise<void>
  /** Measures the service itself, and listens. @throws Error when it can't listen */
  start(service: GenerationService): Promise<void>
  /** Stops listening. */
  close(): Promise<void>
}

/**
 * Makes the metrics of OpenTelemetry, for Prometheus to fetch. The operator installs its packages.
 * @throws Error that names the field and says what it accepts, or which package is missing
 */
export async function configuredMetrics(config: ConfigFile | undefined): Promise<Metrics | undefined> {
  if (config?.metrics === undefined) return undefined
  const place = `metrics in ${config.name}`
  const { port = 9464, host = '127.0.0.1', ...others } = config.metrics
  if (
    !Number.isInteger(port) ||
    port < 0 ||
    port > 65_535 ||
    typeof host !== 'string' ||
    Object.keys(others).length > 0
  )
    throw new Error(`${place} must be an object, such as { "port": 9464, "host": "127.0.0.1" }.`)
  const [{ PrometheusExporter }, { MeterProvider }, { openTelemetry }] = await Promise.all([
    loaded(place, '@opentelemetry/exporter-prometheus', import('@opentelemetry/exporter-prometheus')),
    loaded(place, '@opentelemetry/sdk-metrics', import('@opentelemetry/sdk-metrics')),
    import('@genmount/opentelemetry'),
  ])
  const exporter = new PrometheusExporter({ port, host, preventServerStart: true })
  const meters = new MeterProvider({ readers: [exporter] })
  const telemetry = openTelemetry({ meter: meters.getMeter('genmount') })
  let stopObserving = () => {}
  return {
    measured: (providers) => providers.map((each) => ('submit' in each ? telemetry.provider(each) : each)),
    onTransition: telemetry.onTransition,
    async start(service) {
      stopObserving = telemetry.observe(service)
      try {
        await exporter.startServer()
      } catch (cause) {
        throw new Error(`${place}: the port can't be used: ${(cause as Error).message}.`, { cause })
      }
    },
    async close() {
      stopObserving()
      await meters.shutdown()
    },
  }
}
