/* Measures wake-ups and signals over a Redis: node --conditions=@genmount/source test/bench/wakes.ts <port of an empty Redis> */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Scheduler, systemClock, timerScheduler } from '@genmount/core'
import { Redis } from 'ioredis'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { cpuMs } from './answer-parent.ts'
import { quantile } from './figures.ts'

const port = Number(process.argv[2])
const redis = new Redis({ port })
const numberIn = (text: string, name: string) =>
  Number(new RegExp(`${name}[:=]([\\d.]+)`).exec(text)?.[1] ?? 0)

async function redisCpuMs(): Promise<number> {
  const info = await redis.info('cpu')
  return 1000 * (numberIn(info, 'used_cpu_sys') + numberIn(info, 'used_cpu_user'))
}

function quantiles(values: readonly number[]) {
  const [p50, p99] = [0.5, 0.99].map((part) => Number(quantile(values, part).toFixed(1)))
  return { p50, p99 }
}

/** How late wake-ups come that are set 2 seconds ahead, so many a second for 10 seconds. */
async function lateness(what: string, nodes: readonly Scheduler[], perSecond: number): Promise<void> {
  const dueAt = new Map<string, number>()
  const late: number[] = []
  for (const node of nodes)
    node.start((jobId) => {
      late.push(Date.now() - (dueAt.get(jobId) ?? NaN))
    })
  await sleep(1000)
  await redis.config('RESETSTAT')
  const [cpu, redisCpu, from] = [cpuMs(), await redisCpuMs(), Date.now()]
  for (let set = 0; set < perSecond * 10;) {
    const due = ((Date.now() - from) * perSecond) / 1000
    for (; set < due; set++) {
      const at = Date.now() + 2000
      dueAt.set(`job-${set}`, at)
      nodes[set % nodes.length]?.wakeAt(`job-${set}`, at)
    }
    await sleep(2)
  }
  await sleep(3000)
  const scripts = numberIn(await redis.info('commandstats'), 'cmdstat_evalsha:calls')
  console.log(what, `${perSecond}/s`, {
    ...quantiles(late),
    lost: dueAt.size - late.length,
    scriptsPerWake: Number((scripts / late.length).toFixed(2)),
    redisCpuMsPerWake: Number((((await redisCpuMs()) - redisCpu) / late.length).toFixed(3)),
    nodeCpuMsPerWake: Number(((cpuMs() - cpu) / late.length).toFixed(3)),
  })
  await Promise.all(nodes.map((node) => node.stop()))
}

/** How long a signal takes to another node, and what a signal costs a node on which nobody waits for the job. */
async function signals(): Promise<void> {
  const [here, there] = [redisSignals({ client: redis }), redisSignals({ client: redis })]
  let woken = () => {}
  here.subscribe('job', () => woken())
  await sleep(500)
  const times: number[] = []
  for (let round = 0; round < 2000; round++) {
    const from = performance.now()
    const wake = new Promise<void>((resolve) => (woken = resolve))
    there.publish('job')
    await wake
    times.push(performance.now() - from)
    await sleep(1)
  }
  const cpu = cpuMs()
  for (let slice = 0; slice < 100; slice++) {
    for (let index = 0; index < 100; index++) there.publish(`other-${slice}-${index}`)
    await sleep(5)
  }
  console.log('one channel', { ...quantiles(times), cpuUsPerSignalOfBothNodes: (cpuMs() - cpu) / 10 })
  await Promise.all([here.close(), there.close()])
}

const cluster = (queue: string) => [1, 2, 3].map(() => bullmqScheduler({ connection: { port }, queue }))

for (const perSecond of [20, 200, 1000]) {
  await lateness('timers', [timerScheduler(systemClock())], perSecond)
  await lateness('BullMQ, 3 nodes', cluster(`bench-${perSecond}`), perSecond)
}
await signals()
redis.disconnect()
