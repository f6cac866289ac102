import { expect, test, vi } from 'vitest'
import type { ServicePlugin } from '@genmount/core'
import { fakeWorld } from '@genmount/testing'
import { failing, never, pluginOf } from '../test-kit/plugin-of.ts'

const world = (...plugins: ServicePlugin[]) => fakeWorld({}, { plugins })

test('a sweep begins with the service, repeats after the pause that it names, and ends with the service', async () => {
  const look = vi.fn(async () => 60_000)
  const { service, clock } = world(pluginOf('cleaner', { sweep: { what: 'old rows', look } }))
  expect(look).not.toHaveBeenCalled()
  service.start()
  await clock.advance(150_000)
  expect(look).toHaveBeenCalledTimes(3)
  await service.close()
  await clock.advance(600_000)
  expect(look).toHaveBeenCalledTimes(3)
})

test.each([
  ['throws', failing()],
  ['hangs', never],
  ['returns no number', async () => 'soon'],
  ['returns NaN', async () => Number.NaN],
  ['returns a negative number', async () => -1],
  ['returns Infinity', async () => Infinity],
])('a sweep that %s is repeated after seconds, and the log names its plugin', async (_how, broken) => {
  const look = vi.fn(broken)
  const { service, clock, log } = world(pluginOf('cleaner', { sweep: { what: 'old rows', look } }))
  service.start()
  await clock.advance(71_000)
  expect(look.mock.calls.length).toBeGreaterThan(1)
  expect(look.mock.calls.length).toBeLessThan(20)
  expect(log.errors[0]).toContain('plugin cleaner')
  expect(log.errors[0]).toContain('old rows')
})

test('a sweep that wants no pause gets a short one', async () => {
  const look = vi.fn(async () => 0)
  const { service, clock } = world(pluginOf('cleaner', { sweep: { what: 'old rows', look } }))
  service.start()
  await clock.advance(1000)
  expect(look.mock.calls.length).toBeLessThanOrEqual(101)
})

test.each([
  ['throws', failing()],
  ['rejects', async () => failing()()],
])('the service settles although a plugin %s at settled', async (_how, settled) => {
  const { service, create, jobAfter } = world(pluginOf('broken', { settled }))
  const { id } = await create()
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed' })
  await service.settled()
  expect(await service.close()).toEqual({ leftJobs: [], unclosed: [] })
})

test('close names a plugin that can not be closed, and closes the others once', async () => {
  const close = vi.fn(async () => {})
  const { service, log } = world(pluginOf('broken', { close: failing() }), pluginOf('other', { close }))
  service.start()
  expect(await Promise.all([service.close(), service.close()])).toMatchObject([
    { unclosed: ['plugin broken'] },
    { unclosed: ['plugin broken'] },
  ])
  expect(close).toHaveBeenCalledOnce()
  expect(log.errors).toEqual(['The plugin broken could not be closed.'])
})

test('ready names a plugin that is not ready, with its words', async () => {
  const { service } = world(pluginOf('broken', { ready: async () => failing('The disk is full.')() }))
  await expect(service.ready()).rejects.toThrow('The plugin broken is not ready: The disk is full.')
})

test('a plugin hears that the service starts, once', () => {
  const started: string[] = []
  const { service } = world(pluginOf('loud', { started: () => void started.push('loud') }))
  expect(started).toEqual([])
  service.start()
  service.start()
  expect(started).toEqual(['loud'])
})

test('a request that a plugin never counts, and an upload that it never deletes or finds, fail after ten seconds', async () => {
  const uploads = { maxBytes: 1, store: never, delete: never, openInput: never }
  const { service, clock } = world(pluginOf('stuck', { face: { countRequest: never, uploads } }))
  const calls = {
    countRequest: service.countRequest?.('alice'),
    'uploads.delete': service.uploads?.delete('upload-1', 'alice'),
    'uploads.openInput': service.uploads?.openInput('gen_1', 'token', 'a.png'),
  }
  const refused = Object.entries(calls).map(([name, call]) =>
    expect(call).rejects.toThrow(`The ${name} of the plugin stuck has not answered within 10000 ms.`),
  )
  await clock.advance(11_000)
  await Promise.all(refused)
  await service.close()
})

test('variants of a plugin stay when a plugin behind it has a face without variants', () => {
  const variants = { parameters: [], find: never }
  const { service } = world(pluginOf('variants', { face: { variants } }), pluginOf('limits', { face: {} }))
  expect(service.variants).toBe(variants)
})
