import assert from 'node:assert/strict'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { GenerationServiceOptions, Job, ServicePlugin } from '@genmount/core'
import { fakeWorld, type FakeWorld } from '../../world/fake-world.ts'
import type { Subject } from '../suite.ts'

/** The subject of `pluginSuite`: a plugin, and what a service and a job need to use it. */
export interface PluginSubject extends Subject {
  /** The plugin that is tested. */
  readonly plugin: ServicePlugin
  /** Further options of the service, such as a file store that the plugin needs. @default none */
  readonly options?: Partial<Omit<GenerationServiceOptions, 'clock' | 'log' | 'plugins' | 'providers'>>
  /** The input of a job that uses the plugin, for the model `fake-image`. @default `{ prompt: 'a fox' }` */
  readonly input?: object
}

/** A service with plugins, on a clock that stands still until the test moves it. */
export interface PluginWorld extends FakeWorld {
  /** Creates a job that uses the plugin, and lets time pass until it is accepted or refused, for 5 minutes at most. */
  created(): Promise<Job>
  /** The same for several jobs at the same time. */
  createdTogether(count: number): Promise<readonly Job[]>
  /** Lets time pass until the job has ended, for 2 hours at most. */
  ended(job: Job): Promise<Job>
  /** The jobs in the store. */
  stored(): Promise<readonly Job[]>
  /** Lets time pass until the promise has settled. @throws AssertionError when it has not after `limitMs` milliseconds */
  settles<Value>(promise: Promise<Value>, limitMs: number, what: string): Promise<Value>
  /** Closes the service, and requires that no timer is left. */
  closed(): Promise<void>
}

/** How many milliseconds pass between two looks. */
const lookMs = 5000

/** Makes a service with the subject's options and these plugins. */
export function pluginWorld(
  { options = {}, input = {} }: PluginSubject,
  plugins: readonly ServicePlugin[],
): PluginWorld {
  const world = fakeWorld({ behave: [{ delayMs: 20_000 }] }, { ...options, plugins })
  const { clock, jobs, log } = world
  // `fakeWorld` makes its service at the first use.
  const service = world.service

  async function settles<Value>(promise: Promise<Value>, limitMs: number, what: string): Promise<Value> {
    let hasSettled = false
    const settle = () => void (hasSettled = true)
    const isSettled = () => hasSettled
    promise.then(settle, settle)
    for (let passedMs = 0; !isSettled() && passedMs <= limitMs; passedMs += lookMs) {
      await clock.advance(passedMs === 0 ? 0 : lookMs)
      // Digests and writes of files are made outside the clock.
      const mostTurns = passedMs === 0 ? 100 : 0
      for (let turn = 0; turn < mostTurns && !isSettled(); turn++) await setTimeout(1)
      for (let turn = 0; turn < 5; turn++) await setImmediate()
    }
    assert.ok(isSettled(), `${what} takes more than ${limitMs / 1000} seconds`)
    return promise
  }

  return Object.assign(Object.create(world) as FakeWorld, {
    settles,
    created: () => settles(world.create(input), 300_000, 'a create'),
    createdTogether(count: number) {
      const creates = Array.from({ length: count }, () => world.create(input))
      return settles(Promise.all(creates), 300_000, 'a create')
    },
    async ended(job: Job) {
      for (let passedMs = 0; passedMs < 2 * 3_600_000; passedMs += 6 * lookMs) {
        await clock.advance(6 * lookMs)
        const read = await jobs.get(job.id)
        if (read?.phase === 'completed' || read?.phase === 'failed') return read
      }
      return assert.fail('a job has not ended after 2 hours')
    },
    stored: async () => (await jobs.list?.({ owner: 'alice', limit: 10, maxLength: 1_000_000 })) ?? [],
    async closed() {
      await settles(service.close(), 300_000, 'closing')
      await clock.advance(0)
      assert.equal(clock.pendingTimers, 0, `a timer is left: ${log.errors.join(' ')}`)
    },
  })
}
