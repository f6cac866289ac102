import type { Attributes } from './meter.ts'

/** The part of a span of `@opentelemetry/api` that this package uses. */
export interface Span {
  /** Adds attributes. */
  setAttributes(attributes: Attributes): unknown
  /** Sets the result of the operation. The code 2 means an error. */
  setStatus(status: { code: 2; message?: string }): unknown
  /** Ends the span. */
  end(): void
}

/** The part of a tracer of `@opentelemetry/api` that this package uses. */
export interface Tracer {
  /**
   * Starts a span, and calls `run` while this span is active. The kind 0 is an operation inside the process, and the
   * kind 2 is a call of a client.
   */
  startActiveSpan<Result>(
    name: string,
    options: { readonly kind: 0 | 2; readonly attributes: Attributes },
    run: (span: Span) => Result,
  ): Result
}
