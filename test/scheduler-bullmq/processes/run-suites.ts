/* Runs cases of the conformance suites against a Redis, and prints what became of each. */
import { Redis } from 'ioredis'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { jobSignalsSuite, schedulerSuite } from '@genmount/testing'
import { printSuites } from '../../conformance/print-suites.ts'

const [, , port, prefix] = process.argv
const connection = { port: Number(port) }
let made = 0
await printSuites(
  schedulerSuite(() => {
    const scheduler = bullmqScheduler({ connection, queue: `${prefix}-${made++}` })
    return { scheduler, latenessMs: 60_000 }
  }),
  jobSignalsSuite(async () => {
    const client = new Redis(connection)
    const signals = redisSignals({ client, channel: `${prefix}-${made++}` })
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
)
