import { expect, test } from 'vitest'
import { entrySize, importSize, manifestOf, nameSize, packageSize } from './bundle-size.ts'
import { bundledModules } from './bundled-modules.ts'
import { measuredSizes, recordedSizes, tooLarge } from './size-report.ts'

test('no package and no entry of a package is more than 10 % larger than at the last release', async () => {
  // What is worth its size is recorded by its name: npm run sizes -- --record <package>
  expect(tooLarge(await measuredSizes(), recordedSizes())).toEqual([])
})

test('a package that grows by more than 10 % is reported, and one that grows by less or by a few lines is not', () => {
  const bytes = { large: 10_000, larger: 10_000, small: 300 }
  const report = tooLarge({ large: 11_000, larger: 11_001, small: 500, new: 9000 }, { bytes })
  expect(report).toEqual([expect.stringMatching(/^larger +10000 +11001 +10\.0 %$/)])
})

test('the recorded sizes are those of the last release, and each release records its own', () => {
  expect(recordedSizes().version).toBe(manifestOf('core').version)
})

test('the client takes at most 4.2 kB (gzipped) of a page, as its README promises', async () => {
  expect(await importSize('client')).toBeLessThanOrEqual(4200)
})

test.each([
  ['minimal', 82_000],
  ['sqlite-and-mirror', 95_000],
  ['durable-object', 84_500],
] as const)(
  'the server %s takes at most the bytes that the page about mounting promises',
  async (name, bytes) => {
    expect(await importSize(name)).toBeLessThanOrEqual(bytes)
  },
)

test("an app without OpenAI's interface loads none of its code", async () => {
  const modules = [...(await bundledModules('minimal')), ...(await bundledModules('sqlite-and-mirror'))]
  expect(modules.some((file) => file.includes('packages/v1-interface/'))).toBe(true)
  expect(modules.filter((file) => file.includes('openai-interface'))).toEqual([])
})

test('an app that names its backend and its files, and imports @genmount/core/service, bundles no store in memory', async () => {
  const inMemory = (files: readonly string[]) =>
    files.filter((file) => /core\/src\/defaults\/memory-(?!signals)/.test(file))
  expect(inMemory(await bundledModules('minimal'))).not.toEqual([])
  expect(inMemory(await bundledModules('sqlite-and-mirror'))).toEqual([])
})

test("OpenAI's interface is about 11 kB (gzipped), as its README says", async () => {
  expect(Math.abs((await packageSize('openai-interface')) - 11_000)).toBeLessThan(500)
})

test('an app that routes no model bundles no code of routeModel', async () => {
  const modules = await bundledModules('minimal')
  expect(modules.some((file) => file.endsWith('core/src/routing/routes.ts'))).toBe(true)
  expect(modules.filter((file) => /core\/src\/routing\/(route-|model-routes)/.test(file))).toEqual([])
})

test.each(['provider-fal', 'provider-replicate'])(
  'an app that imports %s without its entry models bundles none of the models that are listed as data',
  async (name) => {
    const size = await entrySize(name, '.')
    expect(size + (await entrySize(name, './models'))).toBeLessThanOrEqual((await packageSize(name)) * 1.05)
  },
)

test.each([
  ['./callbacks', 8600],
  ['./limits', 8200],
  ['./uploads', 9400],
  ['./moderation', 2900],
  ['./usage', 5200],
  ['./webhooks', 9400],
])('the entry %s of core loads about as many bytes as its README says', async (entry, bytes) => {
  expect(Math.abs((await entrySize('core', entry)) - bytes)).toBeLessThan(bytes * 0.1)
})

test('an app that imports one name of core bundles nothing else of core', async () => {
  expect(await nameSize('frozen')).toBeLessThanOrEqual(250)
})
