import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { resultOrError } from '../results/error-result.ts'
import { tasksExtension } from '../tasks/job-task.ts'
import { generateTools } from '../tools/generate.ts'
import { jobTools } from '../tools/job-tools.ts'
import { listModels } from '../tools/list-models.ts'
import type { Tool, ToolCall } from '../tools/tool.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import type { Hold } from '../waiting/held-call.ts'
import { isPending, resultOfPending } from '../waiting/pending-call.ts'
import { progressNotification } from '../waiting/progress-notification.ts'
import type { Waiting } from '../waiting/waiting.ts'

const tools: ReadonlyMap<string, Tool> = new Map(
  [...generateTools, ...jobTools, listModels].map((tool) => [tool.name, tool]),
)

/**
 * Lists the tools for which the service has models, and runs them.
 * @param hold takes each call that waits for its job, and returns a result that stands in for the call's own.
 * @default the server itself waits
 */
export function serveTools(
  server: Server,
  context: ToolContext,
  onError: (error: unknown) => void,
  hold?: Hold,
): void {
  server.setRequestHandler('tools/list', async () => {
    const models = await context.models()
    return {
      tools: [...tools.values()].flatMap((tool) => {
        const listing = tool.listing(models)
        return listing ? [{ name: tool.name, ...listing }] : []
      }),
    }
  })

  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name)
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name.slice(0, 100)}.`,
      )
    const { id, signal, _meta } = mcpReq
    const call: ToolCall = {
      args: params.arguments ?? {},
      signal,
      knowsTasks: capabilitiesIn(mcpReq)?.extensions?.[tasksExtension] !== undefined,
    }
    return resultOrError(signal, onError, async () => {
      const outcome = await tool.call(context, call)
      if (!isPending(outcome)) return outcome
      if (hold) return hold({ id, call: outcome, progressToken: _meta?.progressToken })
      const { waitMs } = context.settings
      return resultOfPending(context, outcome, { signal, waitMs, onProgress: progressTeller(mcpReq) })
    })
  })
}

function capabilitiesIn({ envelope }: ServerContext['mcpReq']): ClientCapabilities | undefined {
  return (envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ]
}

function progressTeller({ _meta, notify }: ServerContext['mcpReq']): Waiting['onProgress'] {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress, message) => {
    // A failed notification means that the client is gone, so the error is ignored.
    void notify(progressNotification(progressToken, progress, message)).catch(() => {})
  }
}
