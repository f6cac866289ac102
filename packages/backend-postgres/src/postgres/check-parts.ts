import { accepts, type JobSignals, type Scheduler } from '@genmount/core'
import type { PostgresPool } from './postgres-pool.ts'

/** Checks an option that is a pool. A function has no `connect`, so a class that was not instantiated is refused. */
export const checkPool = having<PostgresPool>('a pool such as new Pool() of pg', ['connect'])
/** Checks an option that is a scheduler. */
export const checkScheduler = having<Scheduler>('a scheduler such as bullmqScheduler()', [
  'start',
  'wakeAt',
  'stop',
])
/** Checks an option that is signals. */
export const checkSignals = having<JobSignals>('signals such as redisSignals()', ['publish', 'subscribe'])

function having<Part>(words: string, functions: readonly (keyof Part & string)[]) {
  return accepts<Part>(words, (value) => {
    const part = value as Record<string, unknown> | null | undefined
    return functions.every((name) => typeof part?.[name] === 'function')
  })
}
