/** Attributes of a span or of a measured value. */
export type Attributes = Record<string, string | number | boolean>

/** How an instrument is described. */
export interface MetricOptions {
  /** What is measured, in words. */
  description?: string
  /** The unit, such as `s` or `{job}` (UCUM). */
  unit?: string
  /** What the SDK should do if its user has not chosen otherwise. */
  advice?: {
    /** The upper bounds of the buckets of a histogram. */
    explicitBucketBoundaries?: number[]
  }
}

/** What is used of a counter of `@opentelemetry/api`. */
export interface Counter {
  /** Adds an amount of at least 0. */
  add(value: number, attributes?: Attributes): void
}

/** What is used of a histogram of `@opentelemetry/api`. */
export interface Histogram {
  /** Records one value. */
  record(value: number, attributes?: Attributes): void
}

/** What is used of an observable gauge of `@opentelemetry/api`. */
export type Gauge = object

/** What is used of a meter of `@opentelemetry/api`. */
export interface Meter {
  /** Makes a counter. */
  createCounter(name: string, options?: MetricOptions): Counter
  /** Makes a histogram. */
  createHistogram(name: string, options?: MetricOptions): Histogram
  /** Makes a gauge whose values are observed when metrics are collected. */
  createObservableGauge(name: string, options?: MetricOptions): Gauge
  /** Calls `observe` each time that metrics are collected. */
  addBatchObservableCallback(observe: (result: Observer) => void | Promise<void>, gauges: Gauge[]): void
  /** Ends what `addBatchObservableCallback` began. */
  removeBatchObservableCallback(observe: (result: Observer) => void | Promise<void>, gauges: Gauge[]): void
}

/** Takes the values of gauges. */
export interface Observer {
  /** Takes one value. */
  observe(gauge: Gauge, value: number, attributes?: Attributes): void
}
