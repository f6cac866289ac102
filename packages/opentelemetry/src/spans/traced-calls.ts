import type { Attributes, Histogram, Meter } from '../client/meter.ts'
import type { Tracer } from '../client/tracer.ts'
import { faultType, type Findings, inSpan } from './in-span.ts'
import { unfailing } from './unfailing.ts'

/** One call to a provider. */
export interface TracedCall {
  /** `submit`, `poll`, `find` or `cancel`. */
  readonly call: string
  /** The name of the provider. */
  readonly provider: string
  /** The model id that the provider uses. */
  readonly model: string
  /** Further attributes of the span. */
  readonly attributes: Attributes
}

/** Runs a call to a provider inside a span, and records how long the call takes. */
export type TracedCalls = <Result>(
  call: TracedCall,
  run: () => Promise<Result>,
  find: (result: Result) => Findings,
) => Promise<Result>

/** The bucket boundaries of this histogram in the semantic conventions, in seconds. */
const boundaries = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** Makes spans with `tracer` and records durations with `meter`. Either may be missing. */
export function tracedCalls(tracer: Tracer | undefined, meter: Meter | undefined): TracedCalls {
  const durations = meter?.createHistogram('gen_ai.client.operation.duration', {
    description: 'How long a call to a provider takes.',
    unit: 's',
    advice: { explicitBucketBoundaries: boundaries },
  })
  return async ({ call, provider, model, attributes }, run, find) => {
    const shared: Attributes = {
      'gen_ai.operation.name': 'generate_content',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
      'genmount.call': call,
    }
    // A poll or a cancel generates nothing, so its span does not have the name `generate_content`.
    const name = call === 'submit' ? `generate_content ${model}` : `${call} ${model}`
    const measured = durations ? () => measure(durations, shared, run, find) : run
    if (!tracer) return measured()
    return inSpan(tracer, { name, kind: 2, attributes: { ...shared, ...attributes } }, measured, find)
  }
}

async function measure<Result>(
  durations: Histogram,
  shared: Attributes,
  run: () => Promise<Result>,
  find: (result: Result) => Findings,
): Promise<Result> {
  const beganAt = performance.now()
  const record = (errorTypeOf: () => string | undefined) =>
    unfailing(() => {
      const errorType = errorTypeOf()
      const attributes = { ...shared, ...(errorType !== undefined && { 'error.type': errorType }) }
      durations.record((performance.now() - beganAt) / 1000, attributes)
    })
  try {
    const result = await run()
    record(() => find(result).errorType)
    return result
  } catch (fault) {
    record(() => faultType(fault))
    throw fault
  }
}
