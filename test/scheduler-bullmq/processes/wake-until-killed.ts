/** A node of a cluster: sets wake-ups when it is told to, and prints each job that it is woken for. */
import { createInterface } from 'node:readline'
import { bullmqScheduler } from '@genmount/scheduler-bullmq'

const [, , port, queue] = process.argv
const scheduler = bullmqScheduler({ connection: { port: Number(port) }, queue })
scheduler.start((jobId) => console.log(jobId))

for await (const line of createInterface({ input: process.stdin })) {
  const { prefix, count, delayMs } = JSON.parse(line) as { prefix: string; count: number; delayMs: number }
  for (let index = 0; index < count; index++)
    scheduler.wakeAt(`${prefix}-${index}`, Date.now() + delayMs + index)
}
