import { describe, expect, test } from 'vitest'
import { GenerationError, type PluginHooks, type PluginHost, type ServicePlugin } from '@genmount/core'
import { callbacks } from '@genmount/core/callbacks'
import { limits } from '@genmount/core/limits'
import { moderation } from '@genmount/core/moderation'
import { uploads } from '@genmount/core/uploads'
import { usage } from '@genmount/core/usage'
import { webhooks } from '@genmount/core/webhooks'
import { fakeWebhooks, pluginSuite, type PluginSubject } from '@genmount/testing'
import { failingCases } from '../suite.ts'

const subjects: Readonly<Record<string, () => PluginSubject>> = {
  limits: () => ({
    plugin: limits(
      { runningJobs: 5, spendUsdPerDay: 100, storedBytes: 100_000_000 },
      { reserveUsd: { 'fake-image': 0.1, 'fake-video': 0.1 } },
    ),
  }),
  uploads: () => ({ plugin: uploads() }),
  moderation: () => ({ plugin: moderation({ input: () => 'allowed', outputs: () => 'allowed' }) }),
  callbacks: () => ({ plugin: callbacks({ baseUrl: 'https://app.example' }) }),
  usage: () => ({ plugin: usage() }),
  webhooks: () => ({
    plugin: webhooks(fakeWebhooks()),
    input: { webhook_url: 'https://receiver.example/200' },
  }),
}

describe.each(Object.entries(subjects))('the plugin %s', (_name, create) => {
  for (const [title, run] of Object.entries(pluginSuite(create))) test(title, run)
})

const plugin = (attach: (host: PluginHost) => PluginHooks): ServicePlugin => ({ name: 'mine', attach })

/** A plugin that allows five jobs at a time, without a flaw unless told otherwise. */
function fivePlaces({ leaves = true, isShared = false } = {}): ServicePlugin {
  let all = 0
  return plugin(() => {
    let own = 0
    return {
      admit() {
        const taken = isShared ? all++ : own++
        if (taken >= 5) throw new GenerationError('too_many_running_jobs', 'Five jobs are under way.')
        return {
          leave: () => {
            if (leaves) own--
          },
        }
      },
    }
  })
}

test('a plugin that keeps the contract passes every case', async () => {
  expect(await failingCases(pluginSuite(() => ({ plugin: fivePlaces() })))).toEqual([])
})

const cases = {
  attach: 'attaching a plugin starts nothing: no timer, no call of a store',
  life: 'with a plugin a job completes, nothing is logged as an error, and nothing is left after the close',
  several: 'a plugin serves one job after another, and several at the same time',
  two: 'one plugin serves two services',
  refusal: 'a refusal by a later plugin takes back what a plugin has given, and stores nothing',
  changes: 'a plugin changes nothing of what it gets',
  once: 'a plugin is closed once, also when the service is closed twice, before its first use or with a job under way',
}

const broken: Readonly<Record<string, readonly [() => ServicePlugin, readonly (keyof typeof cases)[]]>> = {
  'has no name': [
    () => ({ name: '', attach: () => ({}) }),
    ['attach', 'life', 'several', 'two', 'refusal', 'changes', 'once'],
  ],
  'starts a timer when it is attached': [
    () =>
      plugin(({ clock }) => {
        clock.after(2 ** 31, () => {})
        return {}
      }),
    ['attach', 'life', 'several', 'two', 'refusal', 'changes', 'once'],
  ],
  'reads the job store when it is attached': [
    () =>
      plugin(({ jobs }) => {
        void jobs.get('gen_1')
        return {}
      }),
    ['attach'],
  ],
  'never gives its places back': [() => fivePlaces({ leaves: false }), ['several', 'refusal']],
  'counts for all services together': [() => fivePlaces({ isShared: true }), ['several', 'refusal']],
  'throws whenever a job is written': [
    () =>
      plugin(() => ({
        wrote() {
          throw new Error('no')
        },
      })),
    ['life', 'two', 'changes', 'once'],
  ],
  'refuses every job': [
    () =>
      plugin(() => ({
        admit() {
          throw new GenerationError('content_policy', 'Not here.')
        },
      })),
    ['life', 'several', 'two', 'refusal', 'changes', 'once'],
  ],
  'withholds every output': [
    () => plugin(() => ({ checkOutputs: async () => ({ code: 'content_policy', message: 'Not here.' }) })),
    ['life', 'several', 'two', 'refusal', 'changes'],
  ],
  'writes into the jobs that it sees': [
    () => plugin(() => ({ wrote: (job) => void Object.assign(job, { audited: true }) })),
    ['life', 'two', 'changes', 'once'],
  ],
  'is never settled': [
    () => plugin(() => ({ settled: () => new Promise(() => {}) })),
    ['life', 'two', 'changes', 'once'],
  ],
  'keeps a timer after the close': [
    () => plugin(({ clock }) => ({ close: async () => void clock.after(1000, () => {}) })),
    ['life', 'several', 'two', 'refusal', 'changes', 'once'],
  ],
}

describe('a broken plugin fails the cases that name its fault: it', () => {
  test.each(Object.entries(broken))('%s', async (_fault, [make, fails]) => {
    const suite = pluginSuite(() => ({ plugin: make() }))
    // The cases that cause damage in a service say nothing of a fault that is always there.
    const titles = Object.keys(suite).filter((title) => (Object.values(cases) as string[]).includes(title))
    const failing = await failingCases(Object.fromEntries(titles.map((title) => [title, suite[title]!])))
    expect(failing.toSorted()).toEqual(fails.map((name) => cases[name]).toSorted())
  })
})
