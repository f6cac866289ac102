import { expect, test, vi } from 'vitest'
import { fakeProvider, fakeWorld, manualClock } from '@genmount/testing'
import type { PluginHooks, Reservation } from '../contracts/plugin/service-plugin.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { routeModel } from '../routing/route-model.ts'
import { pluginOf } from '../test-kit/plugin-of.ts'

const reservationOf = (usd: number, mostUsd = 10): Reservation => ({
  usd,
  budgets: [{ mostMicroUsd: mostUsd * 1e6, from: 0, costsFrom: 0 }],
  refusal: () => new GenerationError('insufficient_quota', 'There is no room.'),
  leftUsd: () => 0,
})

/** A job of a routed model, for which a plugin reserves 1 US dollar at its create. */
function world(reserve: PluginHooks['reserve']) {
  const clock = manualClock()
  const provider = fakeProvider({ clock, behave: [{ delayMs: 60_000 }] })
  const model = routeModel({ id: 'fox', routes: [{ provider, model: 'fake-image' }] })
  const plugins = [pluginOf('bank', { admit: () => ({ reservation: reservationOf(1) }), reserve })]
  const made = fakeWorld({}, { clock, providers: [model], plugins })
  return {
    ...made,
    provider,
    createFox: () => made.create({}, { model: 'fox' }),
    /** The job as it is stored after so many milliseconds. */
    async storedAfter(ms: number, id: string) {
      await clock.advance(ms)
      return made.jobs.get(id)
    },
  }
}

test('a plugin reserves more before a submit, and sees the job, the provider and its task', async () => {
  const reserve = vi.fn(() => reservationOf(3))
  const { createFox, storedAfter, provider } = world(reserve)
  const { id } = await createFox()
  expect(await storedAfter(6000, id)).toMatchObject({ phase: 'running', reservedUsd: 3 })
  expect(provider.ledger).toHaveLength(1)
  expect(reserve).toHaveBeenCalledExactlyOnceWith({
    job: expect.objectContaining({ id, reservedUsd: 1 }),
    provider: expect.objectContaining({ name: provider.name }),
    task: expect.objectContaining({
      jobId: id,
      model: 'fake-image',
      input: { prompt: 'a fox', num_outputs: 1 },
    }),
    isRepeated: false,
  })
})

test.each<[string, PluginHooks['reserve'], string]>([
  ['does not fit into a budget', () => reservationOf(3, 2), 'There is no room.'],
  [
    'is refused by the plugin',
    () => Promise.reject(new GenerationError('insufficient_quota', 'No more.')),
    'No more.',
  ],
])('a job whose further reservation %s ends as insufficient_quota', async (_what, reserve, message) => {
  const { createFox, storedAfter, provider } = world(reserve)
  const { id } = await createFox()
  expect(await storedAfter(6000, id)).toMatchObject({
    error: { code: 'insufficient_quota', message },
    costUsd: 0,
    isCostKnown: true,
  })
  expect(provider.ledger).toEqual([])
})

test.each<[string, () => never | Promise<never>]>([
  ['fails', () => Promise.reject(new Error('The bank is closed.'))],
  [
    'throws',
    () => {
      throw new Error('The bank is closed.')
    },
  ],
  ['returns nonsense', () => 'yes' as never],
])(
  'while reserve of a plugin %s, nothing is submitted, and the submit is tried again',
  async (_what, broken) => {
    let isBroken = true
    const { createFox, storedAfter, provider, log } = world(() => (isBroken ? broken() : undefined))
    const { id } = await createFox()
    expect(await storedAfter(6000, id)).toMatchObject({ phase: 'accepted', reservedUsd: 1 })
    expect(provider.ledger).toEqual([])
    expect(log.lines.join('\n')).toContain('The plugin bank has failed at reserve')
    isBroken = false
    expect(await storedAfter(120_000, id)).toMatchObject({ phase: 'completed' })
    expect(provider.ledger).toHaveLength(1)
  },
)

test('a second plugin with reserve is refused', () => {
  const plugins = ['one', 'two'].map((name) => pluginOf(name, { reserve: () => undefined }))
  expect(() => fakeWorld({}, { plugins }).service).toThrow(
    'the plugins one and two both have a function reserve; one may have it.',
  )
})
