import type { Attributes } from './meter.ts'

/** What is used of a span of `@opentelemetry/api`. */
export interface Span {
  /** Adds attributes. */
  setAttributes(attributes: Attributes): unknown
  /** Says how the operation went: 2 stands for an error. */
  setStatus(status: { code: 2; message?: string }): unknown
  /** Ends the span. */
  end(): void
}

/** What is used of a tracer of `@opentelemetry/api`. */
export interface Tracer {
  /**
   * Starts a span, and calls `run` while the span is the active one. A kind of 0 is an operation inside of the process,
   * 2 is a call of a client.
   */
  startActiveSpan<Result>(
    name: string,
    options: { readonly kind: 0 | 2; readonly attributes: Attributes },
    run: (span: Span) => Result,
  ): Result
}
