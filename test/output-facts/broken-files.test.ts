// @module-tag needs/ffmpeg needs/imagemagick
import { expect, test } from 'vitest'
import { brokenFiles, expectStoredWithFacts } from './broken-files.ts'

test('a file that is cut off, wrong or not what it begins as is stored as it came, with the facts that can be read', async () => {
  const files = await brokenFiles(3)
  expect(files.length).toBeGreaterThan(350)
  const before = performance.now()
  await expectStoredWithFacts(files)
  // Some milliseconds each. A reader that follows a wrong length for seconds would hold up the whole process.
  expect(performance.now() - before).toBeLessThan(30_000)
})
