import { GenmountError } from '@genmount/client'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { ToolError } from '../tools/tool-error.ts'

/**
 * The result of a call, or its error as a result. Calls `onError` with an internal error, of which the agent learns no more
 * than that, unless the client has left.
 */
export function resultOrError<Result>(
  signal: AbortSignal,
  onError: (error: unknown) => void,
  run: () => Promise<Result>,
): Promise<Result | CallToolResult> {
  // Not an async function, which would take 500 bytes of each call that waits.
  return run().catch((error: unknown) => {
    const publicError = shownError(error)
    if (publicError.code === 'internal_error' && !signal.aborted) onError(error)
    return errorResult(publicError)
  })
}

/** The answer to a failed call: the code and the message of the service, and no internal detail. */
function errorResult({ code, message, details }: ReturnType<typeof shownError>): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: { error: { code, message, ...details } },
  }
}

function shownError(error: unknown) {
  if (error instanceof ToolError) return { code: error.code, message: error.message, details: {} }
  if (!(error instanceof GenmountError))
    return {
      code: 'internal_error',
      message: 'The tool has failed. Its operator finds the reason in the log.',
      details: {},
    }
  const { code, message, param, requestId, retryAfterMs, job } = error
  const job_id = job?.id
  const details = {
    ...(param !== undefined && { param }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    ...(job_id !== undefined && { job_id }),
  }
  const more = job_id === undefined ? '' : ` The job ${job_id} continues: call get_job with this job_id.`
  return { code, message: `${message}${more}`, details }
}
