import { createClient, type Model } from '@genmount/client'
import { readingTurns } from '@genmount/fetch-handler'
import { bearerToken, type Sender, senderOfRequest, targetAsWritten, targetOf } from '@genmount/v1-interface'
import { createMcpHandler, type Server } from '@modelcontextprotocol/server'
import { createServer } from '../server/create-server.ts'
import { checkSettings } from '../server/mcp-options.ts'
import type { ToolContext, Watch } from '../tools/tool-context.ts'
import type { HeldCall, Hold } from '../waiting/held-call.ts'
import { answerTo, sdkAnswer } from './answer-to-calls.ts'
import { bodyRefusal, mcpBodies } from './mcp-bodies.ts'
import { checkHandlerOptions, type McpHandlerOptions } from './mcp-handler-options.ts'
import { throughOriginGate } from './origin-gate.ts'
import { requestBody } from './request-body.ts'
import { refusalOfService, rpcRefusal } from './rpc-refusal.ts'
import {
  type Caller,
  senderHeaders,
  type ServiceHandler,
  serviceFetch,
  serviceRequest,
} from './service-fetch.ts'
import { callPlaces } from './call-places.ts'

/**
 * How many requests begin in one turn of the event loop. Each takes a millisecond or two, most of it in the SDK, so a
 * thousand that arrive together would otherwise hold up all other requests for a second. With four of them in a turn, the
 * jobs of others took twice as long.
 */
const requestsPerTurn = 1

/**
 * Makes an MCP endpoint (streamable HTTP) beside the `/v1` of a service: requests to `/media/mcp` use `/media/v1`. It
 * calls the service in this process with the caller's own key, so keys, limits and owners are those of `/v1`. A caller
 * that `/v1` refuses gets its status, code and headers, such as 401 with `WWW-Authenticate`. The body is read after that,
 * within limits as `/v1` has them. The handler keeps no state between two requests. It answers every request and never
 * rejects.
 * @param serve the fetch handler of the service, such as `toFetchHandler` of `@genmount/fetch-handler` makes
 * @throws TypeError when an option is wrong
 * @example
 * const v1 = toFetchHandler(service, { authenticate })
 * const mcp = toMcpHandler(v1)
 * Deno.serve((request) => (URL.parse(request.url)?.pathname === '/mcp' ? mcp(request) : v1(request)))
 */
export function toMcpHandler<Handler extends ServiceHandler>(
  serve: Handler,
  options: McpHandlerOptions = {},
): (...args: Parameters<Handler>) => Promise<Response> {
  if (typeof serve !== 'function') throw new TypeError('serve must be the fetch handler of the service.')
  const settings = checkSettings(options)
  const { origins, fetch: fetchElsewhere } = checkHandlerOptions(options)
  const places = callPlaces()
  const readBody = mcpBodies()
  const modelsIn = modelReader()
  const turns = isWorker() ? undefined : readingTurns(requestsPerTurn)
  const sdk = createMcpHandler(({ authInfo }) => (authInfo!.extra!['makeServer'] as () => Server)())

  async function answer(request: Request, rest: readonly unknown[]): Promise<Response> {
    const baseUrl = new URL('.', request.url).href.slice(0, -1)
    const caller: Caller = { baseUrl, headers: senderHeaders(request), rest, fetch: fetchElsewhere }
    const first = serviceRequest(`${baseUrl}/v1/models`, {}, caller.headers)
    const senderOf = senderOfRequest(first)
    const reply = await serve(first, ...(rest as never[]))
    // The service decides who is accepted.
    if (!reply.ok) return refusalOfService(reply)
    const models = modelsIn(await reply.text())
    const sender = senderOf()
    const user = sender === undefined ? keyOf(request) : `owner ${sender.owner}`
    const context = contextOf(caller, sender, user, models)
    if (request.method !== 'POST') return (await exchange(request, undefined, context)).response
    const { headers } = request
    const body = {
      header: (name: string) => headers.get(name) ?? undefined,
      body: () => requestBody(request),
    }
    return new Promise((resolve, reject) => {
      const use = async (value: unknown) => {
        const { response, isOver } = await exchange(request, value, context)
        resolve(response)
        // The value stays in memory, and its bytes count, until the last call in it has ended.
        await isOver
      }
      readBody(user, body, use).catch(reject)
    })
  }

  /** A function of its own, because calls that wait keep the context, and would keep the request with it. */
  function contextOf(
    caller: Caller,
    sender: Sender | undefined,
    user: string,
    models: readonly Model[],
  ): ToolContext {
    return {
      // Made when it is used, because calls that wait do not use it.
      get client() {
        return createClient({ baseUrl: caller.baseUrl, fetch: serviceFetch(serve, caller) })
      },
      user,
      settings,
      places,
      watch: sender && watchOf(sender),
      models: () => Promise.resolve(models),
    }
  }

  /** Passes a message to the SDK. `isOver` resolves when nothing more of the message is needed. */
  async function exchange(request: Request, parsedBody: unknown, context: ToolContext) {
    let server: Server | undefined
    let isOver: Promise<void> | undefined
    const calls: HeldCall[] = []
    const hold: Hold = (call) => {
      calls.push(call)
      return { content: [] }
    }
    const makeServer = () => {
      const made = createServer(context, console.error, hold)
      const { promise, resolve: onclose } = Promise.withResolvers<void>()
      Object.assign(made, { onclose })
      isOver = promise
      return (server = made)
    }
    const authInfo = { token: '', clientId: '', scopes: [], extra: { makeServer } }
    const call = { authInfo, parsedBody }
    if (hasCall(parsedBody)) {
      const response = await sdkAnswer(request, (own) => sdk.fetch(own, call))
      return answerTo(request, response, calls, context)
    }
    const response = await sdk.fetch(request, call)
    // A server without a transport was not used, or is closed.
    return { response, isOver: server?.transport && isOver }
  }

  async function respond(request: Request, rest: readonly unknown[]): Promise<Response> {
    if (targetAsWritten(targetOf(request.url) ?? '') === undefined)
      return rpcRefusal(404, 'route_not_found', 'The endpoint is not at this path.')
    await turns?.take()
    // Nothing here awaits the response, because what waits keeps the request in memory.
    return throughOriginGate(origins, request, () => answer(request, rest))
  }

  return (...args) => {
    const [request, ...rest] = args as [Request, ...unknown[]]
    return respond(request, rest).catch(refusalOf)
  }
}

function refusalOf(error: unknown): Response {
  const refusal = bodyRefusal(error)
  if (refusal) return refusal
  console.error(error)
  return rpcRefusal(500, 'internal_error', 'The endpoint has failed.')
}

/** Whether a message is or contains a call of a tool. */
function hasCall(body: unknown): boolean {
  return [body].flat().some((message) => (message as { method?: unknown } | null)?.method === 'tools/call')
}

function watchOf({ service, owner }: Sender): Watch {
  return (jobId, watcher) => service.watch(jobId, owner, watcher)
}

/** Makes what reads lists of models. Calls that get the same text share one list, because many of them may wait for long. */
function modelReader(): (text: string) => readonly Model[] {
  let latest: { readonly text: string; readonly models: readonly Model[] } | undefined
  return (text) => {
    if (latest?.text !== text)
      latest = { text, models: (JSON.parse(text) as { readonly data: readonly Model[] }).data }
    return latest.models
  }
}

/** Whether this is a worker of Cloudflare, where a request can't wait for what another request does. */
function isWorker(): boolean {
  return globalThis.navigator?.userAgent === 'Cloudflare-Workers'
}

/**
 * Identifies the sender of a request by its API key, where the owner is not known. All senders without such a key count
 * as one, because there are many ways to write other headers.
 */
function keyOf({ headers }: Request): string {
  const bearer = bearerToken(headers.get('authorization') ?? undefined)
  return typeof bearer === 'object' ? `key ${bearer.token}` : ''
}
