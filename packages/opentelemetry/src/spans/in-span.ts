import type { Attributes } from '../client/meter.ts'
import type { Span, Tracer } from '../client/tracer.ts'
import { unfailing } from './unfailing.ts'

/** The result of an operation, for its span. */
export interface Findings {
  /** Attributes for the span. */
  readonly attributes: Attributes
  /** The type of the error as a short word, if the operation has failed. @default the operation has not failed */
  readonly errorType?: string | undefined
  /** The reason of the failure in words. */
  readonly message?: string | undefined
}

/** How a span starts. */
export interface SpanStart {
  readonly name: string
  readonly kind: 0 | 2
  readonly attributes: Attributes
}

/**
 * Runs an operation once, inside a span. If the operation throws, the span ends as an error, and the error is thrown
 * on. If the tracer fails, the operation runs as it would without one.
 * @param find reads the result of the operation for the span
 */
export function inSpan<Result>(
  tracer: Tracer,
  { name, ...start }: SpanStart,
  run: () => Promise<Result>,
  find: (result: Result) => Findings = () => ({ attributes: {} }),
): Promise<Result> {
  let running: Promise<Result> | undefined
  unfailing(() => {
    const traced = tracer.startActiveSpan(name, start, (span) => (running = within(span, run, find)))
    // A tracer may return its own promise. Nothing waits for that promise, so its rejection is handled here.
    Promise.resolve(traced).catch(() => {})
  })
  return running ?? run()
}

async function within<Result>(
  span: Span,
  run: () => Promise<Result>,
  find: (result: Result) => Findings,
): Promise<Result> {
  const tell = ({ attributes, errorType, message }: Findings) => {
    span.setAttributes({ ...attributes, ...(errorType !== undefined && { 'error.type': errorType }) })
    if (errorType !== undefined) span.setStatus({ code: 2, ...(message !== undefined && { message }) })
  }
  try {
    const result = await run()
    unfailing(() => tell(find(result)))
    return result
  } catch (fault) {
    unfailing(() => tell({ attributes: {}, errorType: faultType(fault), message: shortMessage(fault) }))
    throw fault
  } finally {
    unfailing(() => span.end())
  }
}

/** The name of a thrown error. */
export function faultType(fault: unknown): string {
  return fault instanceof Error ? fault.name : '_OTHER'
}

function shortMessage(fault: unknown): string {
  return (fault instanceof Error ? fault.message : String(fault)).slice(0, 1000)
}
