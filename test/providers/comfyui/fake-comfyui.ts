import { fakeFile } from '@genmount/testing'
import type { Workflow } from '@genmount/provider-comfyui'
import { historyEntry, type HistoryEntry, type QueueItem, rejectionOf } from './comfyui-shapes.ts'
import { fakeSockets } from './fake-sockets.ts'
import { type VendorReply, type VendorRequest, vendorServer } from '../vendor-server.ts'

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
 * A ComfyUI on loopback whose nodes do no work: the routes of https://github.com/Comfy-Org/ComfyUI server.py at 0.3.64 (a125cd8), and its PromptQueue of
 * execution.py. A submit with a known prompt id gets 409, as in post_prompt of server.py at 5e14d79 (read in November
 * 2026).
 */
export async function fakeComfyui({ runMs, ignoresPromptIds }: FakeComfyuiOptions = {}) {
  /** The prompt ids in the order in which they came into the queue: each of them is work for the GPU. */
  const ledger: string[] = []
  /** The accepted workflows, by prompt id. */
  const workflows = new Map<string, Workflow>()
  const inputFiles = new Map<string, Uint8Array>()
  const outputFiles = new Map<string, Uint8Array>()
  const timers = new Set<NodeJS.Timeout>()
  let pending: QueueItem[] = []
  let running: QueueItem | undefined
  let history: Record<string, HistoryEntry> = {}
  let number = 0

  const sockets = fakeSockets((clientId) => {
    const isOwn = clientId !== '' && clientIdOf(running) === clientId && lastNode !== undefined
    const status = { exec_info: { queue_remaining: pending.length } }
    return { status: { status, sid: clientId }, ...(isOwn && { executing: { node: lastNode } }) }
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

  async function answer({ method, url, json, form }: VendorRequest): Promise<VendorReply> {
    const route = `${method} ${url.pathname}`
    if (route === 'POST /prompt') return takeOn(json<PromptBody>())
    if (route === 'GET /queue')
      return { json: { queue_running: running ? [running] : [], queue_pending: pending } }
    if (route === 'GET /history') {
      const [offset, count] = ['offset', 'max_items'].map((name) => Number(url.searchParams.get(name)))
      return { json: Object.fromEntries(Object.entries(history).slice(offset!, offset! + count!)) }
    }
    if (route.startsWith('GET /history/')) {
      const id = route.slice('GET /history/'.length)
      return { json: id in history ? { [id]: history[id] } : {} }
    }
    if (route === 'GET /view') return view(url.searchParams)
    if (route === 'POST /upload/image') return upload(await form())
    if (route === 'POST /queue') {
      const { delete: ids = [] } = json<{ delete?: string[] }>()
      pending = pending.filter(([, id]) => !ids.includes(id))
      return { body: '' }
    }
    if (route === 'POST /interrupt') {
      const { prompt_id } = json<{ prompt_id?: string }>()
      if (running && (prompt_id === undefined || prompt_id === running[1])) {
        fake.interrupts++
        end(true)
      }
      return { body: '' }
    }
    return { status: 404, body: '404: Not Found' }
  }

  function takeOn({ prompt, prompt_id, client_id, extra_data }: PromptBody): VendorReply {
    const rejection = rejectionOf(prompt, inputFiles)
    if (rejection) return { status: 400, json: rejection }
    const id = ignoresPromptIds ? crypto.randomUUID() : (prompt_id ?? crypto.randomUUID())
    if (id in history || [running, ...pending].some((item) => item?.[1] === id)) return knownId
    ledger.push(id)
    workflows.set(id, prompt)
    pending.push([number, id, prompt, { ...extra_data, client_id, create_time: Date.now() }, ['9']])
    startNext()
    return { json: { prompt_id: id, number: number++, node_errors: {} } }
  }

  function view(query: URLSearchParams): VendorReply {
    const name = query.get('filename') ?? ''
    if (name === '' || name.startsWith('/') || name.includes('..')) return { status: 400, body: '' }
    const bytes = outputFiles.get(name)
    return bytes ? { body: bytes } : { status: 404, body: '' }
  }

  async function upload(form: FormData): Promise<VendorReply> {
    const image = form.get('image')
    if (!(image instanceof File) || image.name === '') return { status: 400, body: '' }
    inputFiles.set(image.name, new Uint8Array(await image.arrayBuffer()))
    return { json: { name: image.name, subfolder: '', type: 'input' } }
  }

  const server = await vendorServer(answer, { upgrade: sockets.upgrade })

  const fake = {
    ...server,
    ledger,
    workflows,
    inputFiles,
    /** How many prompts have been interrupted. */
    interrupts: 0,
    sockets,
    /** Sends the progress of the running prompt's nodes, and a preview, to the client of the prompt. */
    progress(nodes: Readonly<Record<string, NodeState>>, preview?: Uint8Array): void {
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
    /** The outcome of the next runs. */
    ending: (_item: QueueItem, entry: HistoryEntry): HistoryEntry => entry,
    /** Ends the running prompt, and starts the next one. */
    finish: () => end(),
    /** Forgets everything except the files. */
    forget() {
      pending = []
      running = undefined
      history = {}
    },
    async close(): Promise<void> {
      sockets.cut()
      for (const timer of timers) clearTimeout(timer)
      await server.close()
    },
  }
  return fake
}

function clientIdOf(item: QueueItem | undefined): string | undefined {
  const { client_id } = { ...item?.[3] } as { readonly client_id?: string }
  return client_id
}

/** The answer to a submit whose prompt id ComfyUI has already. */
export const knownId: VendorReply = { status: 409, json: { error: 'prompt_id already exists' } }

interface PromptBody {
  readonly prompt: Workflow
  readonly prompt_id?: string
  readonly client_id?: string
  readonly extra_data?: object
}
