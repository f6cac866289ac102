import process from 'node:process'
import { answerParent, cpuMs } from '../answer-parent.ts'
import { quantile } from '../figures.ts'
import { steadyCreates } from '../steady-creates.ts'
import { exampleInput } from '../workload.ts'
import type { OpenQueue } from './queues/queue.ts'

/** A process with a queue, which creates jobs at an even pace and leads them to their end. */

const [name, url = ''] = process.argv.slice(2)
let ended = 0
const { open } = (await import(`./queues/${name}.ts`)) as { readonly open: OpenQueue }
const queue = await open(url, () => void ended++)
let created = 0

const calls = {
  /** Creates jobs for some time. @returns how many milliseconds half of the creates took at most, and 99 of 100 */
  async create(perSecond: number, ms: number) {
    const took = await steadyCreates(perSecond, ms, () => queue.create(exampleInput(created++)))
    return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
  },
  state: () => ({ cpuMs: cpuMs(), created, ended }),
  stop: () => queue.stop(),
}
export type QueueCalls = typeof calls
answerParent(calls)
