/** Attributes of a span or of a measured value. */
export type Attributes = Record<string, string | number | boolean>

/** The description of an instrument. */
export interface MetricOptions {
  /** What the instrument measures, in words. */
  description?: string
  /** The unit, such as `s` or `{job}` (UCUM). */
  unit?: string
  /** Settings that the SDK uses if its user has chosen no others. */
  advice?: {
    /** The upper bounds of the buckets of a histogram. */
    explicitBucketBoundaries?: number[]
  }
}

/** The part of a counter of `@opentelemetry/api` that this package uses. */
export interface Counter {
  /** Adds an amount of at least 0. */
  add(value: number, attributes?: Attributes): void
}

/** The part of a histogram of `@opentelemetry/api` that this package uses. */
export interface Histogram {
  /** Records one value. */
  record(value: number, attributes?: Attributes): void
}

/** The part of an observable gauge of `@opentelemetry/api` that this package uses. */
export type Gauge = object

/** The part of a meter of `@opentelemetry/api` that this package uses. */
export interface Meter {
  /** Makes a counter. */
  createCounter(name: string, options?: MetricOptions): Counter
  /** Makes a histogram. */
  createHistogram(name: string, options?: MetricOptions): Histogram
  /** Makes a gauge whose values are read when the SDK collects metrics. */
  createObservableGauge(name: string, options?: MetricOptions): Gauge
  /** Makes the SDK call `observe` each time it collects metrics. */
  addBatchObservableCallback(observe: (result: Observer) => void | Promise<void>, gauges: Gauge[]): void
  /** Removes a callback that `addBatchObservableCallback` has added. */
  removeBatchObservableCallback(observe: (result: Observer) => void | Promise<void>, gauges: Gauge[]): void
}

/** Receives the values of gauges. */
export interface Observer {
  /** Records the current value of a gauge. */
  observe(gauge: Gauge, value: number, attributes?: Attributes): void
}
