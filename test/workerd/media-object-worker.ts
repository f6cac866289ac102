import { DurableObject } from 'cloudflare:workers'
import { durableObjectBackend, type ObjectStorage } from '@genmount/backend-cloudflare/durable-object'
import { createGenerationService, type Provider, type ProviderTask } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import * as v from 'valibot'

interface Env {
  /** The address of the vendor. */
  readonly VENDOR: string
  readonly MEDIA: DurableObjectNamespace<MediaObject>
}

/** The timers of this isolate that have not run yet. */
const timers = new Set<unknown>()
const { setTimeout: setTimer, clearTimeout: clearTimer } = globalThis
Object.assign(globalThis, {
  setTimeout(run: () => void, ms?: number) {
    const timer = setTimer(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer)
    return timer
  },
  clearTimeout(timer: ReturnType<typeof setTimer>) {
    timers.delete(timer)
    clearTimer(timer)
  },
})

/** A storage that counts its calls by their names. */
function countedStorage(storage: ObjectStorage, calls: Record<string, number>): ObjectStorage {
  const count = (name: string) => void (calls[name] = (calls[name] ?? 0) + 1)
  return {
    sql: {
      exec(query, ...bindings) {
        count('exec')
        return storage.sql.exec(query, ...bindings)
      },
    },
    transactionSync: (run) => storage.transactionSync(run),
    getAlarm() {
      count('getAlarm')
      return storage.getAlarm()
    },
    setAlarm(at) {
      count('setAlarm')
      return storage.setAlarm(at)
    },
    deleteAlarm() {
      count('deleteAlarm')
      return storage.deleteAlarm()
    },
  }
}

const input = v.strictObject({
  prompt: v.string(),
  ms: v.number(),
  hold: v.optional(v.number()),
  holdPoll: v.optional(v.number()),
})

/** The models of a vendor that says by `clientToken` whether it has a task, or that makes a task once for each token. */
function provider(vendor: string, kind: 'finds' | 'dedupes'): Provider {
  const ask = async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    return (await (await fetch(vendor + path, init)).json()) as { id?: string; isDone?: boolean }
  }
  const running = (handle: string) => ({ state: 'running' as const, handle, pollAfterMs: 300 })
  return {
    name: kind,
    models: [{ id: kind, outputKind: 'image', input }],
    dedupesSubmits: kind === 'dedupes',
    async submit({ clientToken, input: task }) {
      return running((await ask('/tasks', { kind, clientToken, ...task })).id ?? '')
    },
    async poll({ handle }) {
      const { isDone } = await ask(`/tasks/${String(handle)}`)
      return isDone
        ? { state: 'succeeded', outputs: [{ url: 'https://cdn.example.com/kite.png' }], costUsd: 0.01 }
        : running(String(handle))
    },
    ...(kind === 'finds' && {
      async find({ clientToken }: ProviderTask) {
        const { id } = await ask(`/find/${clientToken}`)
        return id === undefined ? undefined : running(id)
      },
    }),
  }
}

/** A service in an object of its own, for one owner. */
export class MediaObject extends DurableObject<Env> {
  readonly #calls: Record<string, number> = {}
  readonly #backend = durableObjectBackend({ storage: countedStorage(this.ctx.storage, this.#calls) })
  readonly #service
  readonly #handle

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#service = createGenerationService({
      providers: [provider(env.VENDOR, 'finds'), provider(env.VENDOR, 'dedupes')],
      backend: this.#backend,
      keepOutputs: 'redirect',
      plugins: [advance()],
    })
    this.#handle = toFetchHandler(this.#service, { authenticate: apiKeys({ alice: 'key-of-alice' }) })
  }

  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== '/state') return this.#handle(request)
    const { sql } = this.ctx.storage
    const isNew = sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'jobs'").toArray().length === 0
    const phases = isNew ? [] : sql.exec('SELECT id, phase FROM jobs').toArray()
    const alarmAt = await this.ctx.storage.getAlarm()
    return Response.json({ calls: this.#calls, timers: timers.size, alarmAt, phases })
  }

  alarm(info: { readonly retryCount: number }): Promise<void> {
    this.#calls['alarm'] = (this.#calls['alarm'] ?? 0) + 1
    return this.#backend.alarm(this.#service, info)
  }
}

export default {
  fetch: (request: Request, { MEDIA }: Env) => MEDIA.getByName(new URL(request.url).hostname).fetch(request),
}
