import { Server } from '@modelcontextprotocol/server'
import { tasksExtension } from '../tasks/job-task.ts'
import { serveTasks } from '../tasks/serve-tasks.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import type { Hold } from '../waiting/held-call.ts'
import { serveFiles } from './serve-files.ts'
import { serveTools } from './serve-tools.ts'

const instructions = `Makes pictures and films. Jobs cost money: each answer says how much. For a job that is still processing, call get_job. Its files can be the input of the next job as job://{job_id}#{n}, also while it is processing.`

const listedFor = { ttlMs: 60_000, cacheScope: 'private' } as const

/** Makes the server for one connection or request. All servers of a session share its context. */
export function createServer(context: ToolContext, onError: (error: unknown) => void, hold?: Hold): Server {
  const server = new Server(
    { name: 'genmount', title: 'genmount', version: '0.1.0' },
    {
      capabilities: { tools: {}, resources: {}, extensions: { [tasksExtension]: {} } },
      cacheHints: { 'tools/list': listedFor },
      instructions,
    },
  )
  serveTools(server, context, onError, hold)
  serveFiles(server, context)
  serveTasks(server, context)
  return server
}
