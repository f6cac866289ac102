import assert from 'node:assert/strict'
import type { JobSignals } from '@genmount/core'
import { suiteOf, type Subject, type Suite } from '../suite.ts'
import { newsCases } from './news-cases.ts'
import type { SignalsCases, SignalsHands } from './signals-cases.ts'

/** The subject of `jobSignalsSuite`: signals without any subscription. */
export interface JobSignalsSubject extends Subject {
  /** The signals that are tested. */
  readonly signals: JobSignals
  /**
   * The signals that publish. Pass those of another node with the same backend to test the signals between
   * two nodes.
   * @default `signals`
   */
  readonly publisher?: JobSignals
  /** How long a signal may take, in milliseconds. @default 1000 */
  readonly withinMs?: number
}

/**
 * The promises of every `JobSignals`, as cases.
 * @param create makes new signals. Each case calls it once.
 * @example
 * const suite = jobSignalsSuite(() => ({ signals: memorySignals() }))
 */
export function jobSignalsSuite(create: () => JobSignalsSubject | Promise<JobSignalsSubject>): Suite {
  return suiteOf(async () => {
    const subject = await create()
    const { signals, publisher = signals, withinMs = 1_000 } = subject
    return {
      ...subject,
      publish: (jobId: string) => publisher.publish(jobId),
      subscribe: (jobId: string, wake: () => void) => signals.subscribe(jobId, wake),
      ...(signals.news && publisher.news && { news: { ...signals.news, publish: publisher.news.publish } }),
      woken: waitFor(withinMs),
    }
  }, cases)
}

const cases: SignalsCases = {
  ...newsCases,

  'whoever watches a job is woken by a publish for it, again and again': async ({
    publish,
    subscribe,
    woken,
  }) => {
    let wakes = 0
    subscribe('job-1', () => wakes++)
    for (let round = 1; round <= 3; round++) {
      publish('job-1')
      await woken(() => wakes >= round)
    }
  },

  'everybody who watches the job is woken': async ({ publish, subscribe, woken }) => {
    const awake = new Set<number>()
    for (let watcher = 0; watcher < 1_000; watcher++) subscribe('job-1', () => awake.add(watcher))
    publish('job-1')
    await woken(() => awake.size === 1_000)
  },

  'nobody is woken for another job': async ({ publish, subscribe, woken }) => {
    const awake: string[] = []
    const ids = ['job-1', 'job-10', 'JOB-1', 'job-1 ', '__proto__', 'constructor', 'job:1', 'job 1/ü']
    for (const id of ids) subscribe(id, () => awake.push(id))
    for (const id of ids) {
      publish(id)
      await woken(() => awake.includes(id))
      assert.deepEqual(new Set(awake), new Set([id]))
      awake.length = 0
    }
  },

  'whoever has ended the watch is not woken, the others are': async ({ publish, subscribe, woken }) => {
    const awake: string[] = []
    const end = subscribe('job-1', () => awake.push('gone'))
    subscribe('job-1', () => awake.push('here'))
    end()
    publish('job-1')
    await woken(() => awake.length > 0)
    assert.deepEqual(new Set(awake), new Set(['here']))
  },

  'one function may watch twice, and ending one watch leaves the other': async ({
    publish,
    subscribe,
    woken,
  }) => {
    let wakes = 0
    const wake = () => wakes++
    const end = subscribe('job-1', wake)
    subscribe('job-1', wake)
    publish('job-1')
    await woken(() => wakes >= 2)
    end()
    end()
    wakes = 0
    publish('job-1')
    await woken(() => wakes >= 1)
  },

  'a watch that begins after the last one has ended is woken': async ({ publish, subscribe, woken }) => {
    const end = subscribe('job-1', () => {})
    end()
    let isAwake = false
    subscribe('job-1', () => (isAwake = true))
    end()
    publish('job-1')
    await woken(() => isAwake)
  },

  'a watch can be ended from within its own wake': async ({ publish, subscribe, woken }) => {
    const awake: string[] = []
    const endFirst = subscribe('job-1', () => {
      awake.push('first')
      endFirst()
    })
    subscribe('job-1', () => awake.push('second'))
    publish('job-1')
    await woken(() => awake.includes('second'))
    publish('job-1')
    await woken(() => awake.filter((name) => name === 'second').length >= 2)
    assert.equal(awake.filter((name) => name === 'first').length, 1)
  },

  'a watch that begins within a wake does not keep the publish going': async ({
    publish,
    subscribe,
    woken,
  }) => {
    let begun = 0
    const begin = () => {
      begun++
      if (begun < 1_000) subscribe('job-1', begin)
    }
    subscribe('job-1', begin)
    publish('job-1')
    await woken(() => begun > 0)
    assert.ok(begun < 1_000, 'one publish woke the watches that it made')
  },

  'a publish that nobody waits for does nothing': async ({ publish, subscribe, woken }) => {
    publish('unwatched')
    let isAwake = false
    subscribe('job-1', () => (isAwake = true))
    publish('job-1')
    await woken(() => isAwake)
  },
}

function waitFor(withinMs: number): SignalsHands['woken'] {
  return async (isWoken) => {
    const until = Date.now() + withinMs
    while (!isWoken()) {
      assert.ok(Date.now() < until, `no signal within ${withinMs} ms`)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
}
