import { callbacks } from '@genmount/core/callbacks'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresBackend } from '@genmount/backend-postgres'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import pg from 'pg'
import { listen } from '../../loopback.ts'
import { answerParent } from '../answer-parent.ts'
import { type BenchModel, benchProviders, benchService, created } from '../bench-service.ts'
import { apiKey, exampleInput, owner } from '../workload.ts'
import { bareReader } from './bare-reader.ts'
import { polledLifeMs, poolSize, rawSchema, statementsOfPolledLife } from './started-cluster.ts'
import { type RecordedLife, recorder, replay } from './recorded-life.ts'

/**
 * A process of the cluster: a node of genmount on Postgres, and in the same process the bare code that it is compared
 * with, on a pool of as many connections.
 */

/** After this time, in milliseconds, a job counts as ended on another node. */
const longestLifeMs = 6000
/** Quiet polls, which write once, are at least a second apart. */
const pollAfterMs = 1050

const connectionString = process.argv[2]!
const pool = new pg.Pool({ connectionString, max: poolSize })
const rawPool = new pg.Pool({ connectionString, max: poolSize })
const record = recorder(pool)
for (const each of [pool, rawPool]) each.on('error', () => {})

let onCalled = (_callbackUrl: string) => {}
let doneAt: [jobId: string, at: number][] = []
let ended = 0
/** The jobs of this node that have not ended, with the timers after which they count as ended elsewhere. */
const underWay = new Map<string, NodeJS.Timeout>()
/** The jobs that were polled once. They end with their second poll. */
const polled = new Set<string>()
const { providers } = benchProviders({
  pollAfterMs,
  isDone: (jobId) => polled.delete(jobId) || !polled.add(jobId),
  onCalled: (callbackUrl) => onCalled(callbackUrl),
  // Steps are to wait for nothing but the database.
  maxConcurrentJobs: 10_000,
  // A job is inserted with the claim for its submit.
  dedupesSubmits: true,
})
const service = benchService({
  providers,
  backend: postgresBackend({ pool }),
  plugins: [callbacks({ baseUrl: 'https://bench.example' })],
  onJobEnd({ id }) {
    ended++
    clearTimeout(underWay.get(id))
    underWay.delete(id)
  },
})
await service.ready()
service.start()
const ours = await listen(toNodeHandler(service, { authenticate: apiKeys({ [owner]: apiKey }) }))
const bare = await listen(bareReader(rawPool))

const recorded = new Map<BenchModel, RecordedLife>()
const input = exampleInput()

async function create(model: BenchModel): Promise<string> {
  return (await created(() => service.create({ owner, model, input }))).job.id
}

async function live(model: BenchModel): Promise<string> {
  const id = await create(model)
  const after = model === 'bench-long' ? 'running' : 'completed'
  const phase = async () =>
    (await rawPool.query('SELECT phase FROM genmount.jobs WHERE id = $1', [id])).rows[0]?.phase
  while ((await phase()) !== after) await sleep(20)
  return id
}

function isWhole({ statements }: RecordedLife, model: BenchModel): boolean {
  // The sweep may have read the job, too: raw SQL must not repeat that.
  if (model === 'bench-video' && statements.length !== statementsOfPolledLife) return false
  const names = statements.map(({ name }) => name?.split('.').at(-1))
  const last = model === 'bench-long' ? 'replace' : 'replaceFinished'
  return names.every(Boolean) && names[0] === 'insert' && names.at(-1) === last
}

/** How many work at a time, how long before anything is measured, and for how long it is then measured. */
interface Times {
  readonly atATime: number
  readonly warmMs: number
  readonly measuredMs: number
}

/** How many times a second workers do the work again and again, so many at a time. @param count counts it in place of the calls */
async function rate(
  work: () => Promise<unknown>,
  { atATime, warmMs, measuredMs }: Times,
  count?: () => number,
): Promise<number> {
  let calls = 0
  const counted = count ?? (() => calls)
  const over = new AbortController()
  const workers = Array.from({ length: atATime }, async () => {
    while (!over.signal.aborted) {
      await work()
      calls++
    }
  })
  await sleep(warmMs)
  const [from, before] = [performance.now(), counted()]
  await sleep(measuredMs)
  const perSecond = ((counted() - before) / (performance.now() - from)) * 1000
  over.abort()
  await Promise.all(workers)
  return perSecond
}

/** Keeps `atATime` jobs under way. @returns how many lives end on this node in a second */
async function livesRate({ atATime, ...times }: Times): Promise<number> {
  const beganAt = performance.now()
  // Their number grows evenly over the length of a life. Jobs that begin at once would also end at once, and the node would
  // have nothing to do in between.
  const mostNow = () => atATime * Math.min(1, (performance.now() - beganAt) / polledLifeMs)
  const oneMore = async () => {
    if (underWay.size >= mostNow()) return sleep(10)
    const id = await create('bench-video')
    underWay.set(
      id,
      setTimeout(() => underWay.delete(id), longestLifeMs),
    )
  }
  // Creates of more jobs at a time would only wait for the pool, and be refused when that takes too long.
  const perSecond = await rate(oneMore, { ...times, atATime: 2 * poolSize }, () => ended)
  while (underWay.size > 0) await sleep(20)
  return perSecond
}

const rawRate = (model: BenchModel) => (times: Times) =>
  rate(() => replay(rawPool, recorded.get(model)!, rawSchema), times)

const calls = {
  /** Where the node listens, and the bare code beside it. */
  origins: () => ({ ours: ours.origin, bare: bare.origin }),
  async record(model: BenchModel) {
    let life = await record(() => live(model))
    // Statements are prepared once the node knows that there is no pooler, and another node may take a step of the job.
    while (!isWhole(life, model)) life = await record(() => live(model))
    recorded.set(model, life)
    return life
  },
  async readable(count: number) {
    const ids: string[] = []
    while (ids.length < count) ids.push(await live('bench-at-once'))
    return ids
  },
  lives: livesRate,
  creates: (times: Times) => rate(() => create('bench-long'), times),
  'raw lives': rawRate('bench-video'),
  'raw creates': rawRate('bench-long'),
  /** Has the tasks of `bench-called` done after some time, and called back at this node. */
  callBack(origin: string, afterMs: number) {
    doneAt = []
    onCalled = async (callbackUrl) => {
      await sleep(afterMs)
      const { pathname } = new URL(callbackUrl)
      const jobId = pathname.split('/').at(-2) ?? ''
      doneAt.push([jobId, performance.timeOrigin + performance.now()])
      await fetch(origin + pathname, { method: 'POST', body: JSON.stringify(jobId) })
    }
  },
  doneAt: () => doneAt,
}
export type NodeCalls = typeof calls
answerParent(calls)
