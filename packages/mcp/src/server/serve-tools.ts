import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { errorResult } from '../results/error-result.ts'
import { tasksExtension } from '../tasks/job-task.ts'
import { generateTools } from '../tools/generate.ts'
import { jobTools } from '../tools/job-tools.ts'
import { listModels } from '../tools/list-models.ts'
import type { Tool, ToolCall, ToolContext } from '../tools/tool.ts'

const tools: ReadonlyMap<string, Tool> = new Map(
  [...generateTools, ...jobTools, listModels].map((tool) => [tool.name, tool]),
)

/** Lists the tools for which the service has models, and runs them. */
export function serveTools(server: Server, context: ToolContext, onError: (error: unknown) => void): void {
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
    const call: ToolCall = {
      args: params.arguments ?? {},
      signal: mcpReq.signal,
      knowsTasks: capabilitiesIn(mcpReq)?.extensions?.[tasksExtension] !== undefined,
      onProgress: progressTeller(mcpReq),
    }
    try {
      return await tool.call(context, call)
    } catch (error) {
      const result = errorResult(error)
      if (!call.signal.aborted && isUnknown(result)) onError(error)
      return result
    }
  })
}

function isUnknown({ structuredContent }: ReturnType<typeof errorResult>): boolean {
  return (structuredContent as { error: { code: string } }).error.code === 'internal_error'
}

function capabilitiesIn({ envelope }: ServerContext['mcpReq']): ClientCapabilities | undefined {
  return (envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ]
}

function progressTeller({ _meta, notify }: ServerContext['mcpReq']): ToolCall['onProgress'] {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return (progress, message) => {
    const params = { progressToken, progress, total: 1, message }
    // A failed notification means that the client is gone, so the error is ignored.
    void notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}
