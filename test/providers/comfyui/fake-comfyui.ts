import { type IncomingMessage, type ServerResponse } from 'node:http'
import { fakeFile } from '@genmount/testing'
import {
  historyEntry,
  type HistoryEntry,
  type QueueItem,
  rejectionOf,
  type Workflow,
} from './comfyui-shapes.ts'
import { type FakeSockets, fakeSockets } from './fake-sockets.ts'
import { listen } from '../../loopback.ts'

/** The answer to a request. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What goes wrong with a request; `accept` first does what ComfyUI would do. */
export type Fault = (accept: () => Promise<Reply>, response: ServerResponse) => Promise<Reply | 'handled'>

/** A ComfyUI on loopback whose nodes do no work. Its answers and messages are those of server.py and execution.py. */
export interface FakeComfyui {
  readonly url: string
  readonly requests: readonly { readonly route: string; readonly headers: IncomingMessage['headers'] }[]
  /** The prompt ids in the order in which they came into the queue: each of them is work for the GPU. */
  readonly ledger: readonly string[]
  /** The accepted workflows, by prompt id. */
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly inputFiles: ReadonlyMap<string, Uint8Array>
  readonly sockets: FakeSockets
  /** Sends the progress of the running prompt's nodes, and a preview, to the client of the prompt. */
  progress(nodes: Readonly<Record<string, NodeState>>, preview?: Uint8Array): void
  /** How many prompts have been interrupted. */
  readonly interrupts: number
  /** How many requests are being answered, without those that hang. */
  readonly underWay: number
  /** Faults to come, by `'POST /prompt'`; the list is used up, its last one stays when `faultsStay`. */
  readonly faults: Record<string, Fault[]>
  /** The outcome of the next runs. @default `historyEntry` with the files saved */
  ending: (item: QueueItem, entry: HistoryEntry) => HistoryEntry
  /** Ends the running prompt, and starts the next one. */
  finish(): void
  /** Forgets everything except the files. */
  restart(): void
  close(): Promise<void>
}

/** NodeProgressState of comfy_execution/progress.py at 1b71f27 (read in November 2026). */
export interface NodeState {
  readonly value: number
  readonly max: number
  readonly state: 'running' | 'finished' | 'error'
}

export interface FakeComfyuiOptions {
  /** How long a prompt runs, in milliseconds. @default until `finish` */
  readonly runMs?: number
  /** Before July 2025: the server gives prompts ids of its own. */
  readonly ignoresPromptIds?: boolean
}

/**
 * The routes of https://github.com/Comfy-Org/ComfyUI server.py at 0.3.64 (a125cd8), and its PromptQueue of
 * execution.py. A submit with a known prompt id gets 409, as in post_prompt of server.py at 5e14d79 (read in November
 * 2026).
 */
export async function fakeComfyui({
  runMs,
  ignoresPromptIds,
}: FakeComfyuiOptions = {}): Promise<FakeComfyui> {
  const requests: { route: string; headers: IncomingMessage['headers'] }[] = []
  const ledger: string[] = []
  const workflows = new Map<string, Workflow>()
  const inputFiles = new Map<string, Uint8Array>()
  const outputFiles = new Map<string, Uint8Array>()
  const faults: Record<string, Fault[]> = {}
  const timers = new Set<NodeJS.Timeout>()
  let pending: QueueItem[] = []
  let running: QueueItem | undefined
  let history: Record<string, HistoryEntry> = {}
  let number = 0
  let interrupts = 0
  let underWay = 0

  const sockets = fakeSockets((clientId) => {
    const isOwn = clientId !== '' && clientIdOf(running) === clientId && lastNode !== undefined
    return [
      ['status', { status: { exec_info: { queue_remaining: pending.length } }, sid: clientId }],
      ...(isOwn ? ([['executing', { node: lastNode }]] as const) : []),
    ].map(([type, data]) => [type as string, data as object])
  })
  /** The node of the running prompt that was reported last. */
  let lastNode: string | undefined

  function startNext(): void {
    if (running || pending.length === 0) return
    const item = pending.shift()!
    running = item
    lastNode = undefined
    if (runMs === undefined) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (running === item) end()
    }, runMs)
    timers.add(timer)
  }

  function end(interrupted = false): void {
    if (!running) return
    const entry = historyEntry(running, interrupted, (name, kind) =>
      outputFiles.set(name, fakeFile(kind, outputFiles.size).bytes),
    )
    history[running[1]] = fake.ending(running, entry)
    running = undefined
    startNext()
  }

  async function answer(request: IncomingMessage, sent: Buffer, url: URL, route: string): Promise<Reply> {
    if (route === 'POST /prompt') return takeOn(JSON.parse(String(sent)) as PromptBody)
    if (route === 'GET /queue')
      return { status: 200, body: { queue_running: running ? [running] : [], queue_pending: pending } }
    if (route === 'GET /history') return { status: 200, body: history }
    if (route.startsWith('GET /history/')) {
      const id = route.slice('GET /history/'.length)
      return { status: 200, body: id in history ? { [id]: history[id] } : {} }
    }
    if (route === 'GET /view') return view(url.searchParams)
    if (route === 'POST /upload/image') return upload(await formOf(request, sent))
    if (route === 'POST /queue') {
      const { delete: ids = [] } = JSON.parse(String(sent)) as { delete?: string[] }
      pending = pending.filter(([, id]) => !ids.includes(id))
      return { status: 200 }
    }
    if (route === 'POST /interrupt') {
      const { prompt_id } = JSON.parse(String(sent)) as { prompt_id?: string }
      if (running && (prompt_id === undefined || prompt_id === running[1])) {
        interrupts++
        end(true)
      }
      return { status: 200 }
    }
    return { status: 404, body: '404: Not Found' }
  }

  function takeOn({ prompt, prompt_id, client_id, extra_data }: PromptBody): Reply {
    const rejection = rejectionOf(prompt, inputFiles)
    if (rejection) return { status: 400, body: rejection }
    const id = ignoresPromptIds ? crypto.randomUUID() : (prompt_id ?? crypto.randomUUID())
    if (id in history || [running, ...pending].some((item) => item?.[1] === id)) return knownId
    ledger.push(id)
    workflows.set(id, prompt)
    pending.push([number, id, prompt, { ...extra_data, client_id, create_time: Date.now() }, ['9']])
    startNext()
    return { status: 200, body: { prompt_id: id, number: number++, node_errors: {} } }
  }

  function view(query: URLSearchParams): Reply {
    const name = query.get('filename') ?? ''
    if (name === '' || name.startsWith('/') || name.includes('..')) return { status: 400 }
    const bytes = outputFiles.get(name)
    return bytes ? { status: 200, body: bytes } : { status: 404 }
  }

  async function upload(form: FormData): Promise<Reply> {
    const image = form.get('image')
    if (!(image instanceof File) || image.name === '') return { status: 400 }
    inputFiles.set(image.name, new Uint8Array(await image.arrayBuffer()))
    return { status: 200, body: { name: image.name, subfolder: '', type: 'input' } }
  }

  const { origin, stop } = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://fake')
    const route = `${request.method} ${url.pathname}`
    requests.push({ route, headers: request.headers })
    // A client that has left before its request was complete gets no answer.
    const sent = await bodyOf(request).catch(() => undefined)
    if (!sent) return
    const accept = () => answer(request, sent, url, route)
    const planned = faults[route.replace(/(?<=^GET \/history)\/.*/, '')] ?? []
    const fault = planned.length > 1 ? planned.shift() : planned[0]
    underWay++
    const reply = await (fault ? fault(accept, response) : accept()).finally(() => underWay--)
    if (reply === 'handled') return
    const { status, body, headers } = reply
    const isJson = typeof body === 'object' && !(body instanceof Uint8Array)
    response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers })
    response.end(isJson ? JSON.stringify(body) : body)
  }, sockets.upgrade)

  const fake: FakeComfyui = {
    url: origin,
    requests,
    ledger,
    workflows,
    inputFiles,
    get interrupts() {
      return interrupts
    },
    get underWay() {
      return underWay
    },
    faults,
    sockets,
    progress(nodes, preview) {
      if (!running) throw new Error('No prompt runs.')
      const [, prompt_id] = running
      lastNode = Object.keys(nodes).at(-1)
      const whole = Object.entries(nodes).map(([id, state]) => {
        const ids = { node_id: id, prompt_id, display_node_id: id, parent_node_id: null, real_node_id: id }
        return [id, { ...state, ...ids }]
      })
      sockets.send('progress_state', { prompt_id, nodes: Object.fromEntries(whole) }, clientIdOf(running))
      if (preview) sockets.sendPreview(preview, { prompt_id }, clientIdOf(running))
    },
    ending: (_item, entry) => entry,
    finish: () => end(),
    restart() {
      pending = []
      running = undefined
      history = {}
    },
    async close() {
      sockets.cut()
      for (const timer of timers) clearTimeout(timer)
      await stop()
    },
  }
  return fake
}

function clientIdOf(item: QueueItem | undefined): string | undefined {
  const { client_id } = { ...item?.[3] } as { readonly client_id?: string }
  return client_id
}

const knownId: Reply = { status: 409, body: { error: 'prompt_id already exists' } }

interface PromptBody {
  readonly prompt: Workflow
  readonly prompt_id?: string
  readonly client_id?: string
  readonly extra_data?: object
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function formOf(request: IncomingMessage, sent: Buffer): Promise<FormData> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  return new Response(new Uint8Array(sent), { headers }).formData()
}
