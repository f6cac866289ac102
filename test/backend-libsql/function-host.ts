import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { build } from 'esbuild'
import { fastClock } from '../deaths/service/fast-clock.ts'
import { disposableFolder } from '../disposable-folder.ts'
import { cpuWaitMs } from '../processes/cpu-wait.ts'
import { launch } from '../processes/launch.ts'
import type { StoredJob, TearDown } from '../serverless/storm-audit.ts'
import { taskVendor } from '../serverless/task-vendor.ts'
import { hranaServer } from './hrana-server.ts'
import type { Invocation } from './processes/function.ts'

/** The host kills an invocation that has not ended by then, in milliseconds. */
export const limitMs = 10_000

export type OnEnd = (end: () => Promise<void> | void) => void

/**
 * A host that starts a process (`processes/function.ts`) for each invocation, with one libSQL database and the vendor. All times are
 * those of the database's clock.
 * @param speed how many seconds pass for the functions, the database and the vendor in one second of the machine
 */
export async function functionHost(speed: number, onEnd: OnEnd) {
  const clockOptions = { speed, systemAt: Date.now(), showsAt: Date.now() }
  const clock = fastClock(() => clockOptions)
  const database = new DatabaseSync(':memory:')
  database.function('unixepoch', { varargs: true }, () => clock.now() / 1000)
  const server = await hranaServer(() => database)
  onEnd(server.stop)
  const vendor = await taskVendor(clock)
  onEnd(vendor.close)
  const { tasks } = vendor
  const script = await bundledFunction(onEnd)
  const places = { database: `${server.origin}/jobs/`, vendor: vendor.url, clock: clockOptions }
  const tearDowns: TearDown[] = []

  return {
    tasks,
    /** The invocations that were killed. */
    tearDowns,
    rest: (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve)),
    /** The jobs in the database, read without a service. */
    stored: () =>
      database
        .prepare('SELECT job FROM jobs')
        .all()
        .map(({ job }) => JSON.parse(String(job)) as StoredJob),
    /**
     * Starts an invocation. It is killed after so many milliseconds. 0 is for its limit, which leaves out what it and the database
     * waited for a CPU because other processes used them.
     */
    async invoke(killAfterMs: number, { order, hasWaitUntil }: Call) {
      const prompt = order?.prompt
      const invocation: Invocation = { ...places, order, hasWaitUntil }
      const instance = launch([process.execPath, script, JSON.stringify(invocation)])
      async function kill(): Promise<void> {
        if (instance.hasEnded) return
        const own = tasks.filter((task) => prompt === undefined || task.prompt === prompt)
        const inside = own.flatMap(({ held }) => held ?? [])
        const from = clock.now()
        await instance.kill()
        tearDowns.push({ from, to: clock.now(), inside, ...(prompt !== undefined && { prompt }) })
      }
      await instance.line()
      const waitMs = () => cpuWaitMs(instance.pid) + cpuWaitMs()
      const startWaitMs = waitMs()
      let allowedMs = killAfterMs || limitMs
      let spare = clock.after(allowedMs, killInTime)
      function killInTime(): void {
        const moreMs = limitMs + (waitMs() - startWaitMs) * speed - allowedMs
        if (killAfterMs > 0 || moreMs < 50) return void kill()
        allowedMs += moreMs
        spare = clock.after(moreMs, killInTime)
      }
      return { answer: () => instance.line(), kill, ended: instance.ended.finally(() => spare()) }
    },
  }
}

/** What to invoke: a request that orders a job, or the cron. */
interface Call extends Pick<Invocation, 'hasWaitUntil'> {
  readonly order?: { readonly prompt: string }
}

/** A file that starts in a tenth of a second. */
async function bundledFunction(onEnd: OnEnd): Promise<string> {
  const folder = disposableFolder()
  onEnd(() => folder[Symbol.dispose]())
  const outfile = join(folder.path, 'function.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'processes/function.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    // `@libsql/client` then needs no other module at run time.
    conditions: ['@genmount/source', 'workerd'],
    outfile,
  })
  return outfile
}
