import assert from 'node:assert/strict'
import { GenerationError, memoryFileStore, type JobPlace, type ServicePlugin } from '@genmount/core'
import { suiteOf, type Suite } from '../suite.ts'
import { changedPlugin, damagedPlugin, damages, idlePlugin, type Moment, moments } from './changed-plugin.ts'
import { pluginWorld, type PluginSubject } from './plugin-world.ts'

/**
 * The promises of every `ServicePlugin`, as cases, in a service that has the plugin between two others. A plugin that limits
 * jobs must allow five at a time.
 * @param create makes a plugin. Each case calls it once
 * @example const suite = pluginSuite(() => ({ plugin: limits({ runningJobs: 5 }) }))
 */
export function pluginSuite(create: () => PluginSubject | Promise<PluginSubject>): Suite {
  return suiteOf(create, { ...lifeCases, ...damageCases })
}

type Case = (subject: PluginSubject) => Promise<void>

/** Counts the places that the plugin gives, and how they are left. */
function countingPlaces(plugin: ServicePlugin) {
  let places = 0
  const left: boolean[] = []
  const counting = changedPlugin(plugin, (moment, hook) =>
    moment === 'admit' && hook
      ? async (...args) => {
          const place = (await hook(...args)) as JobPlace | undefined
          if (!place) return place
          places++
          const leave = (isStored: boolean) => {
            left.push(isStored)
            place.leave?.(isStored)
          }
          return { ...place, leave }
        }
      : hook,
  )
  const check = () => assert.equal(left.length, places, 'a place has not been left once')
  return { plugin: counting, left, check }
}

const refusing: ServicePlugin = {
  name: 'refusing',
  attach: () => ({
    admit() {
      throw new GenerationError('content_policy', 'This plugin refuses all jobs.')
    },
  }),
}

const lifeCases: Readonly<Record<string, Case>> = {
  'a plugin has a name': async ({ plugin }) => {
    assert.equal(typeof plugin.name, 'string')
    assert.notEqual(plugin.name, '')
  },

  'attaching a plugin starts nothing: no timer, no call of a store': async (subject) => {
    const calls: string[] = []
    const { clock } = pluginWorld(subject, [
      {
        name: subject.plugin.name,
        attach: ({ jobs, files, ...host }) =>
          subject.plugin.attach({ ...host, jobs: recorded(jobs, calls), files: recorded(files, calls) }),
      },
    ])
    await clock.advance(60_000)
    assert.deepEqual(calls, [])
    assert.equal(clock.pendingTimers, 0, 'a timer runs')
  },

  'with a plugin a job completes, nothing is logged as an error, and nothing is left after the close': async (
    subject,
  ) => {
    const world = pluginWorld(subject, [subject.plugin])
    assert.equal((await world.ended(await world.created())).phase, 'completed')
    await world.closed()
    assert.deepEqual(world.log.errors, [])
  },

  'a plugin serves one job after another, and several at the same time': async (subject) => {
    const world = pluginWorld(subject, [subject.plugin])
    for (let round = 0; round < 3; round++) {
      const jobs = await world.createdTogether(5)
      for (const job of jobs) assert.equal((await world.ended(job)).phase, 'completed')
    }
    await world.closed()
  },

  'one plugin serves two services': async (subject) => {
    for (let service = 0; service < 2; service++) {
      const world = pluginWorld({ ...subject, options: { files: memoryFileStore(), ...subject.options } }, [
        subject.plugin,
      ])
      assert.equal((await world.ended(await world.created())).phase, 'completed')
      await world.closed()
      assert.deepEqual(world.log.errors, [])
    }
  },

  'the functions of plugins are called in the order of the plugins': async (subject) => {
    const calls: Partial<Record<Moment, string[]>> = {}
    const recording = (plugin: ServicePlugin, like: ServicePlugin = plugin) =>
      changedPlugin(plugin, (moment, hook) => (...args) => {
        const names = (calls[moment] ??= [])
        names.push(like.name)
        if (hook) return hook(...args)
        if (moment === 'taskInput') return args[0]
        return moment === 'sweep' ? Promise.resolve(3_600_000) : undefined
      })
    const world = pluginWorld(subject, [
      recording(idlePlugin('before')),
      recording(subject.plugin),
      recording(idlePlugin('after')),
    ])
    assert.equal((await world.ended(await world.created())).phase, 'completed')
    for (const moment of [
      'resolveInput',
      'admit',
      'submitInput',
      'taskInput',
      'checkOutputs',
      'wrote',
    ] as const)
      assert.deepEqual(
        calls[moment]?.slice(0, 3),
        ['before', subject.plugin.name, 'after'],
        `the calls of ${moment}`,
      )
    await world.closed()
    assert.equal(
      calls.close?.filter((name) => name === subject.plugin.name).length,
      1,
      'close was not called once',
    )
  },

  'a refusal by a later plugin takes back what a plugin has given, and stores nothing': async (subject) => {
    const places = countingPlaces(subject.plugin)
    let refuses = true
    const later = changedPlugin(refusing, (moment, hook) =>
      moment === 'admit' ? (...args) => (refuses ? hook?.(...args) : undefined) : hook,
    )
    const world = pluginWorld(subject, [places.plugin, later])
    for (let create = 0; create < 20; create++)
      await assert.rejects(
        world.created(),
        { code: 'content_policy' },
        'the refusal does not reach the client',
      )
    places.check()
    assert.deepEqual(places.left.filter(Boolean), [])
    assert.deepEqual(await world.stored(), [])
    refuses = false
    assert.equal((await world.ended(await world.created())).phase, 'completed')
    places.check()
    await world.closed()
  },

  'a plugin changes nothing of what it gets': async (subject) => {
    const frozen = changedPlugin(
      subject.plugin,
      (_moment, hook) => hook && ((...args) => hook(...args.map(deeplyFrozen))),
    )
    const world = pluginWorld(subject, [frozen])
    assert.equal((await world.ended(await world.created())).phase, 'completed')
    await world.closed()
    assert.deepEqual(world.log.errors, [])
  },

  'a plugin is closed once, also when the service is closed twice, before its first use or with a job under way':
    async (subject) => {
      for (const hasJob of [false, true]) {
        let closes = 0
        const counting = changedPlugin(subject.plugin, (moment, hook) =>
          moment === 'close' ? (...args) => (closes++, hook?.(...args)) : hook,
        )
        const world = pluginWorld(subject, [counting])
        if (hasJob) await world.created()
        await world.closed()
        await world.closed()
        assert.equal(closes, 1)
        assert.deepEqual(world.log.errors, [])
      }
    },
}

const damageCases: Readonly<Record<string, Case>> = Object.fromEntries(
  moments.flatMap((moment): [string, Case][] => [
    [
      `a plugin that fails at ${moment} costs no job: it completes, or is refused in words and leaves nothing`,
      async (subject) => {
        for (const [damage, hook] of Object.entries(damages))
          await endsInWords(subject, [damagedPlugin(subject.plugin, moment, hook)], damage)
      },
    ],
    [
      `a later plugin that fails at ${moment} takes nothing with it`,
      async (subject) => {
        for (const [damage, hook] of Object.entries(damages)) {
          const places = countingPlaces(subject.plugin)
          const broken = damagedPlugin(idlePlugin('broken'), moment, hook)
          await endsInWords(subject, [places.plugin, broken], damage)
          places.check()
        }
      },
    ],
  ]),
)

/** Requires that a job completes or fails in words, or is refused in words and leaves nothing, and that the service closes. */
async function endsInWords(
  subject: PluginSubject,
  plugins: readonly ServicePlugin[],
  damage: string,
): Promise<void> {
  const world = pluginWorld(
    { ...subject, options: { files: memoryFileStore(), ...subject.options } },
    plugins,
  )
  const outcome = await world.created().then(
    (job) => ({ job }),
    (error: unknown) => ({ error }),
  )
  if ('job' in outcome) {
    const { phase, error, id } = await world.ended(outcome.job)
    if (phase === 'failed')
      assert.match(error?.message ?? '', /\w \w/, `${damage}: the job fails without words`)
    assert.ok(world.provider.ledger.length <= 1, `${damage}: job ${id} is paid for twice`)
  } else {
    assert.ok(outcome.error instanceof Error, `${damage}: the refusal is no Error`)
    assert.match(outcome.error.message, /\w \w/, `${damage}: the refusal has no words`)
    assert.deepEqual(await world.stored(), [], `${damage}: a refused job is stored`)
    assert.deepEqual(world.provider.ledger, [], `${damage}: a refused job is paid for`)
  }
  await world.closed()
}

/** The same functions, whose calls are recorded by their names. */
function recorded<Part extends object>(part: Part, calls: string[]): Part {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]) => {
        calls.push(String(name))
        return Reflect.apply(value, target, args)
      }
    },
  })
}

/** A copy in which an assignment throws. Functions, models and bytes stay as they are. */
function deeplyFrozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return Object.freeze(value.map(deeplyFrozen))
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([name, part]) => [name, deeplyFrozen(part)])),
  )
}
