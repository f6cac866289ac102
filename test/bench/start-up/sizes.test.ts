import { expect, test } from 'vitest'
import { entrySize, importSize, manifestOf, nameSize, packageSize } from './bundle-size.ts'
import { initialModules } from './initial-modules.ts'
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

test('the client takes less than 4 kB (gzipped) of a page, as its README promises', async () => {
  expect(await importSize('client')).toBeLessThan(4000)
})

test('an app without limits, moderation, uploads and webhooks loads only the checks of these options', async () => {
  const rooms = /packages\/core\/src\/((?:deliveries|limits|moderation|uploads)\/.*)/
  const modules = (await initialModules('minimal')).map((file) => rooms.exec(file)?.[1])
  expect(modules.filter((file) => file !== undefined).toSorted()).toEqual([
    'limits/owner-limits.ts',
    'limits/request-quota.ts',
    'moderation/moderate.ts',
    'uploads/input-path.ts',
    'uploads/is-upload-url.ts',
    'uploads/upload-options.ts',
  ])
})

test.each(['provider-fal', 'provider-replicate'])(
  'an app that imports %s without its entry models bundles none of the models that are listed as data',
  async (name) => {
    const size = await entrySize(name, '.')
    expect(size + (await entrySize(name, './models'))).toBeLessThanOrEqual((await packageSize(name)) * 1.05)
  },
)

test('an app that imports one name of core bundles nothing else of core', async () => {
  expect(await nameSize('frozen')).toBeLessThanOrEqual(250)
})
