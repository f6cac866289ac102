import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { postgresBackend } from '@genmount/backend-postgres'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import pg from 'pg'
import { listen } from '../../loopback.ts'
import { apiKey, exampleBody } from '../http/servers/workload.ts'
import { serveParent } from '../waiters/child-process.ts'
import { bareReader } from './bare-reader.ts'
import { benchProviders, type CalledBack } from './bench-provider.ts'
import {
  type ClusterModel,
  type ClusterQuestion,
  type MeasuredTime,
  polledLifeMs,
  poolSize,
  rawSchema,
  statementsOfPolledLife,
} from './cluster-protocol.ts'
import { type RecordedLife, recorder, replay } from './recorded-life.ts'

/**
 * A process of the cluster: a node of genmount on Postgres, and in the same process the bare code that it is compared
 * with, on a pool of as many connections.
 */

/** How often a create is tried that the node refuses. */
const maxTries = 50
/** After this time, in milliseconds, a job counts as ended on another node. */
const longestLifeMs = 6000

const connectionString = process.argv[2]!
const pool = new pg.Pool({ connectionString, max: poolSize })
const rawPool = new pg.Pool({ connectionString, max: poolSize })
const { record } = recorder(pool)
for (const each of [pool, rawPool]) each.on('error', () => {})

/** By what the life of a job ends, as far as it is followed. */
const lastStatement: Readonly<Record<ClusterModel, string>> = {
  'at-once': 'replaceWithPartsOrCost',
  polled: 'replaceWithPartsOrCost',
  called: 'replaceWithPartsOrCost',
  long: 'replace',
}

let calledBack: CalledBack | undefined
let doneAt: [jobId: string, at: number][] = []
let ended = 0
/** The jobs of this node that have not ended, with the timers after which they count as ended elsewhere. */
const underWay = new Map<string, NodeJS.Timeout>()
const service = createGenerationService({
  providers: benchProviders(() => calledBack),
  backend: postgresBackend({ pool }),
  callbackBaseUrl: 'https://bench.example',
  maxRunningJobsPerOwner: Number.MAX_SAFE_INTEGER,
  onJobEnd({ id }) {
    ended++
    clearTimeout(underWay.get(id))
    underWay.delete(id)
  },
  log: { warn: () => {}, error: console.error },
})
await service.ready()
service.start()
const ours = await listen(toNodeHandler(service, { authenticate: apiKeys({ alice: apiKey }) }))
const bare = await listen(bareReader(rawPool))

const recorded = new Map<string, RecordedLife>()
const { model: _, ...input } = exampleBody

async function create(model: ClusterModel): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return (await service.create({ owner: 'alice', model, input })).job.id
    } catch (error) {
      // A node whose store takes too long refuses: the client tries again.
      if (tries === maxTries) throw error
      await sleep(100)
    }
  }
}

async function live(model: ClusterModel): Promise<string> {
  const id = await create(model)
  const after = model === 'long' ? 'running' : 'completed'
  const phase = async () =>
    (await rawPool.query('SELECT phase FROM genmount.jobs WHERE id = $1', [id])).rows[0]?.phase
  while ((await phase()) !== after) await sleep(20)
  return id
}

function isWhole({ statements }: RecordedLife, model: ClusterModel): boolean {
  // The sweep may have read the job, too: raw SQL must not repeat that.
  if (model === 'polled' && statements.length !== statementsOfPolledLife) return false
  const names = statements.map(({ name }) => name?.split('.').at(-1))
  return names.every(Boolean) && names[0] === 'insert' && names.at(-1) === lastStatement[model]
}

/** How many times a second `count` grows while workers do the work again and again, so many at a time. */
async function rate(
  work: () => Promise<unknown>,
  count: () => number,
  { atATime, warmMs, measuredMs }: MeasuredTime & { readonly atATime: number },
): Promise<number> {
  const over = new AbortController()
  const workers = Array.from({ length: atATime }, async () => {
    while (!over.signal.aborted) await work()
  })
  await sleep(warmMs)
  const [from, before] = [performance.now(), count()]
  await sleep(measuredMs)
  const perSecond = ((count() - before) / (performance.now() - from)) * 1000
  over.abort()
  await Promise.all(workers)
  return perSecond
}

/** Keeps `atATime` jobs under way. @returns how many lives end on this node in a second */
async function livesRate(atATime: number, times: MeasuredTime): Promise<number> {
  const beganAt = performance.now()
  // Their number grows evenly over the length of a life. Jobs that begin at once would also end at once, and the node would
  // have nothing to do in between.
  const mostNow = () => atATime * Math.min(1, (performance.now() - beganAt) / polledLifeMs)
  const oneMore = async () => {
    if (underWay.size >= mostNow()) return sleep(10)
    const id = await create('polled')
    underWay.set(
      id,
      setTimeout(() => underWay.delete(id), longestLifeMs),
    )
  }
  // Creates of more jobs at a time would only wait for the pool, and be refused when that takes too long.
  const perSecond = await rate(oneMore, () => ended, { ...times, atATime: 2 * poolSize })
  while (underWay.size > 0) await sleep(20)
  return perSecond
}

serveParent(async (question: ClusterQuestion) => {
  switch (question.do) {
    case 'origins':
      return { ours: ours.origin, bare: bare.origin }
    case 'record': {
      let life = await record(() => live(question.model))
      // Statements are prepared once the node knows that there is no pooler, and another node may take a step of the job.
      while (!isWhole(life, question.model)) life = await record(() => live(question.model))
      recorded.set(question.model, life)
      return life
    }
    case 'readable': {
      const ids: string[] = []
      while (ids.length < question.count) ids.push(await live('at-once'))
      return ids
    }
    case 'lives':
      return livesRate(question.atATime, question)
    case 'creates': {
      let count = 0
      return rate(
        async () => (await create('long'), count++),
        () => count,
        question,
      )
    }
    case 'raw lives':
    case 'raw creates': {
      const life = recorded.get(question.do === 'raw lives' ? 'polled' : 'long')!
      let count = 0
      return rate(
        async () => (await replay(rawPool, life, rawSchema), count++),
        () => count,
        question,
      )
    }
    case 'call back': {
      const { origin, afterMs } = question
      doneAt = []
      calledBack = {
        afterMs,
        send: (path) => {
          const jobId = path.split('/').at(-2) ?? ''
          doneAt.push([jobId, performance.timeOrigin + performance.now()])
          return fetch(origin + path, { method: 'POST', body: JSON.stringify(jobId) })
        },
      }
      return
    }
    case 'done at':
      return doneAt
  }
})
