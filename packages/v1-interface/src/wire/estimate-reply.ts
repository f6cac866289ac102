import type { JobEstimate } from '@genmount/core'
import type { V1Reply } from '../interface/v1-request.ts'
import { errorObject, newRequestId } from './error-reply.ts'
import { jsonReply } from './json-reply.ts'

/** The reply to a dry run: what would become of the create. Its `error` has the form of that in the body of a refusal. */
export function estimateReply(estimate: JobEstimate): V1Reply {
  const { model, shownInput, metadata, costUsd, refusal, remainingUsd } = estimate
  const requestId = newRequestId()
  const object = {
    object: 'estimate',
    model: model.id,
    output_kind: model.outputKind,
    input: shownInput,
    cost_usd: costUsd ?? null,
    price: model.price?.text ?? null,
    accepted: refusal === undefined,
    error: refusal ? errorObject(refusal, requestId) : null,
    budget_remaining_usd: remainingUsd ?? null,
    ...(metadata && { metadata }),
  }
  const reply = jsonReply(JSON.stringify(object))
  reply.headers['x-request-id'] = requestId
  return reply
}
