import { GenmountError, type Job } from '@genmount/client'
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server'
import { jobResult } from '../results/job-result.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import { jobTask } from './job-task.ts'

/** Serves the requests about tasks. Each task is a job. A task never waits for input from the client. */
export function serveTasks(server: Server, context: ToolContext): void {
  const { client } = context

  server.setRequestHandler('tasks/get', { params: named }, async ({ taskId }, { mcpReq: { signal } }) => {
    const job = await answered(client.get(taskId, { signal }))
    const task = jobTask(job)
    if (task.status !== 'completed') return task
    return { ...task, result: await answered(jobResult(context, { job }, signal)) }
  })

  server.setRequestHandler('tasks/update', { params: named }, async ({ taskId }, { mcpReq: { signal } }) => {
    await answered(client.get(taskId, { signal }))
    return {}
  })

  server.setRequestHandler('tasks/cancel', { params: named }, async ({ taskId }, { mcpReq: { signal } }) => {
    const canceled = client.cancel(taskId, { signal }).catch((error: unknown) => {
      // If the task has ended in the meantime, the client made no mistake.
      if (error instanceof GenmountError && error.code === 'job_finished') return undefined
      throw error
    })
    await answered<Job | undefined>(canceled)
    return {}
  })
}

const named: StandardSchemaV1<unknown, { readonly taskId: string }> = {
  '~standard': {
    version: 1,
    vendor: 'genmount',
    validate(value) {
      const taskId = (value as { taskId?: unknown } | null)?.taskId
      return typeof taskId === 'string' && taskId !== '' && taskId.length <= 255
        ? { value: { taskId } }
        : { issues: [{ message: 'taskId must be the id of a task' }] }
    },
  },
}

/** @throws ProtocolError with the code and text of the service */
async function answered<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    if (!(error instanceof GenmountError))
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'internal_error')
    const isUnknown = error.status === 404
    throw new ProtocolError(
      isUnknown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
      `${error.code}: ${error.message}`,
    )
  }
}
