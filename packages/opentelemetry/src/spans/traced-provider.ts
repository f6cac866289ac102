import type { JsonObject, Provider, ProviderReport, ProviderTask } from '@genmount/core'
import type { Attributes } from '../client/meter.ts'
import type { Findings } from './in-span.ts'
import type { TracedCall, TracedCalls } from './traced-calls.ts'

/**
 * Wraps a provider, so that each call makes a span. @param recordsPrompts whether the spans of submits contain the
 * prompt
 */
export function tracedProvider(provider: Provider, calls: TracedCalls, recordsPrompts: boolean): Provider {
  function traced(call: string, { jobId, model }: ProviderTask, more: Attributes = {}): TracedCall {
    const kind = provider.models.find(({ id }) => id === model)?.outputKind
    const attributes = { 'genmount.job.id': jobId, ...(kind && { 'gen_ai.output.type': kind }), ...more }
    return { call, provider: provider.name, model, attributes }
  }

  return {
    ...provider,
    submit(task, call) {
      const prompt = recordsPrompts ? promptOf(task.input) : {}
      return calls(traced('submit', task, prompt), () => provider.submit(task, call), findingsOf)
    },
    poll: (task, call) => calls(traced('poll', task), () => provider.poll(task, call), findingsOf),
    ...(provider.find && {
      find: (task, call) => calls(traced('find', task), async () => provider.find?.(task, call), findingsOf),
    }),
    ...(provider.cancel && {
      cancel: (task, call) =>
        calls(
          traced('cancel', task),
          async () => provider.cancel?.(task, call),
          () => ({ attributes: {} }),
        ),
    }),
  }
}

function findingsOf(report: ProviderReport | undefined): Findings {
  const { state = 'absent' } = report ?? {}
  const attributes: Attributes = { 'genmount.report.state': state }
  if (report && 'costUsd' in report && report.costUsd !== undefined)
    attributes['genmount.cost_usd'] = report.costUsd
  if (report?.state === 'failed') return { attributes, errorType: report.code, message: report.message }
  if (report?.state === 'refused') return { attributes, errorType: 'refused', message: report.message }
  return { attributes }
}

/** The prompt in the form that the semantic conventions define. */
function promptOf({ prompt }: JsonObject): Attributes {
  if (typeof prompt !== 'string') return {}
  const messages = [{ role: 'user', parts: [{ type: 'text', content: prompt }] }]
  return { 'gen_ai.input.messages': JSON.stringify(messages) }
}
