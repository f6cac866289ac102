// @module-tag needs/ffmpeg needs/imagemagick
import { test } from 'vitest'
import { brokenFiles, expectStoredWithFacts } from './broken-files.ts'

test('ten thousand files that are cut off, wrong or not what they begin as are stored as they came', async () => {
  await expectStoredWithFacts(await brokenFiles(80))
})
