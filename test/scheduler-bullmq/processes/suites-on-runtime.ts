/* Runs the conformance suites against a Redis, and prints how many cases there are and which of them fail. */
import { Redis } from 'ioredis'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { jobSignalsSuite, schedulerSuite } from '@genmount/testing'

const [, , port, name] = process.argv
const connection = { port: Number(port) }
let made = 0
const suites = [
  schedulerSuite(() => {
    const scheduler = bullmqScheduler({ connection, queue: `${name}-${made++}` })
    return { scheduler, latenessMs: 60_000 }
  }),
  jobSignalsSuite(async () => {
    const client = new Redis(connection)
    const signals = redisSignals({ client, channel: `${name}-${made++}` })
    await new Promise<void>((resolve) => {
      const end = signals.subscribe('any', () => {
        end()
        resolve()
      })
    })
    const close = async () => {
      await signals.close()
      client.disconnect()
    }
    return { signals, close }
  }),
]

const failing: string[] = []
for (const suite of suites)
  for (const [title, run] of Object.entries(suite))
    await run().catch((error: unknown) => failing.push(`${title}: ${String(error)}`))
console.log(JSON.stringify({ cases: made, failing }))
