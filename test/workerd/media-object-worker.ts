import { DurableObject } from 'cloudflare:workers'
import { durableObjectBackend, type ObjectStorage } from '@genmount/backend-cloudflare/durable-object'
import { createGenerationService } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { taskProviders } from '../serverless/task-providers.ts'

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

/** A service in an object of its own, for one owner. */
export class MediaObject extends DurableObject<Env> {
  readonly #calls: Record<string, number> = {}
  readonly #backend = durableObjectBackend({ storage: countedStorage(this.ctx.storage, this.#calls) })
  readonly #service
  readonly #handle

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#service = createGenerationService({
      providers: taskProviders(env.VENDOR),
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
    const rows = isNew ? [] : sql.exec('SELECT job FROM jobs').toArray()
    const jobs = rows.map(({ job }) => JSON.parse(String(job)) as unknown)
    const alarmAt = await this.ctx.storage.getAlarm()
    return Response.json({ calls: this.#calls, timers: timers.size, alarmAt, jobs })
  }

  alarm(info: { readonly retryCount: number }): Promise<void> {
    this.#calls['alarm'] = (this.#calls['alarm'] ?? 0) + 1
    return this.#backend.alarm(this.#service, info)
  }
}

export default {
  fetch: (request: Request, { MEDIA }: Env) => MEDIA.getByName(new URL(request.url).hostname).fetch(request),
}
