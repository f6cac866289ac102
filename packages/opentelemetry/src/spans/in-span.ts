import type { Attributes } from '../client/meter.ts'
import type { Span, Tracer } from '../client/tracer.ts'
import { unfailing } from './unfailing.ts'

/** What an operation has found out about itself. */
export interface Findings {
  /** Attributes for the span. */
  readonly attributes: Attributes
  /** Why the operation counts as failed: a short word. @default it has not failed */
  readonly errorType?: string | undefined
  /** Why it failed, in words. */
  readonly message?: string | undefined
}

/** What a span is started with. */
export interface SpanStart {
  readonly name: string
  readonly kind: 0 | 2
  readonly attributes: Attributes
}

/**
 * Runs an operation once, as a span. What the operation throws is thrown on, and ends the span as an error. A tracer that
 * fails changes nothing for the operation.
 * @param find tells what the result says about the operation
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
    // A tracer may return a promise of its own, which nobody waits for.
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

/** The name of what was thrown. */
export function faultType(fault: unknown): string {
  return fault instanceof Error ? fault.name : '_OTHER'
}

function shortMessage(fault: unknown): string {
  return (fault instanceof Error ? fault.message : String(fault)).slice(0, 1000)
}
