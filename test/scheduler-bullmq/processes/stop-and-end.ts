/** Starts a scheduler and signals, stops both when it is told to, prints how long that took, and ends by itself. */
import { once } from 'node:events'
import { Cluster, Redis } from 'ioredis'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'

const port = Number(process.argv[2])
const isCluster = process.argv[3] === 'cluster'
const log = { warn() {}, error() {} }
const redisOptions = { disconnectTimeout: 500 }
const client = isCluster ? new Cluster([{ port }], { redisOptions }) : new Redis({ port, ...redisOptions })
client.on('error', () => {})
const scheduler = bullmqScheduler({ connection: client instanceof Cluster ? client : { port }, log })
const signals = redisSignals({ client, log })
scheduler.start(() => {})
scheduler.wakeAt('job-1', Date.now() + 60_000)
signals.subscribe('job-1', () => console.log('started'))
setTimeout(() => console.log('started'), 1000)

await once(process.stdin, 'data')
const from = performance.now()
scheduler.wakeAt('job-2', Date.now() + 60_000)
signals.publish('job-2')
await Promise.all([scheduler.stop(), signals.close()])
client.disconnect()
process.stdin.destroy()
console.log(`${Math.round(performance.now() - from)}`)
