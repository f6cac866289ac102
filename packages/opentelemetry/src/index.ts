export { openTelemetry, type OpenTelemetry, type OpenTelemetryOptions } from './telemetry/open-telemetry.ts'
export type { Attributes, Counter, Gauge, Histogram, Meter, MetricOptions, Observer } from './client/meter.ts'
export type { Span, Tracer } from './client/tracer.ts'
