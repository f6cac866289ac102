// @module-tag needs/exiftool needs/ffmpeg
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { outputOf } from '../processes/run-program.ts'
import { programPath } from '../suite/system-needs.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { storedFile } from './marking-world.ts'

const exiftool = (...options: readonly string[]) => outputOf([programPath('exiftool'), ...options])

/** A file to which exiftool has added XMP. */
async function fileWith(format: 'gif' | 'jpeg' | 'mp4' | 'png' | 'webp', ...tags: readonly string[]) {
  const path = join(temporaryFolder(), `file.${format}`)
  if (format === 'mp4') {
    const source = ['-f', 'lavfi', '-i', 'testsrc=size=32x32:rate=5:duration=0.4', '-c:v', 'libx264']
    await outputOf([programPath('ffmpeg'), '-v', 'error', ...source, path])
  } else {
    const blank = sharp({
      create: { width: 16, height: 16, channels: 3, background: 'teal' },
    })
    writeFileSync(path, await blank.toFormat(format).toBuffer())
  }
  await exiftool('-q', '-overwrite_original', '-api', 'PNGEarlyXMP=1', ...tags, path)
  return { path, bytes: new Uint8Array(readFileSync(path)) }
}

async function read(path: string, bytes: Uint8Array): Promise<Record<string, unknown>> {
  writeFileSync(path, bytes)
  const [says] = JSON.parse(
    await exiftool('-j', '-n', '-G1', '-a', '-XMP:all', '-validate', '-warning', path),
  )
  return says
}

const own = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

test.each(['gif', 'jpeg', 'mp4', 'png'] as const)(
  'XMP that a %s has already stays, and gets the mark',
  async (format) => {
    const { path, bytes } = await fileWith(
      format,
      '-XMP-dc:Title=a boat & a "kite"',
      '-XMP-xmp:CreateDate=2020:01:02 03:04:05',
    )
    const stored = await storedFile(bytes, {
      options: { include: ['time', 'model'] },
    })
    const says = await read(path, stored.bytes)
    expect(says).toMatchObject({
      'XMP-dc:Title': 'a boat & a "kite"',
      'XMP-xmp:CreateDate': '2020:01:02 03:04:05',
      'XMP-iptcExt:DigitalSourceType': `${own}trainedAlgorithmicMedia`,
      'XMP-iptcExt:AISystemUsed': 'fake-image',
    })
    expect(says['ExifTool:Warning']).toBeUndefined()
  },
)

test.each(['gif', 'jpeg', 'mp4', 'png', 'webp'] as const)(
  'a %s that names its digital source type already stays as it is',
  async (format) => {
    const { bytes } = await fileWith(format, `-XMP-iptcExt:DigitalSourceType=${own}digitalArt`)
    const stored = await storedFile(bytes)
    expect(Buffer.compare(stored.bytes, bytes)).toBe(0)
    expect(stored.lines.join()).not.toContain('can not be marked')
  },
)

test('a webp whose XMP has no place for the mark stays as it is, and the log says so', async () => {
  const { bytes } = await fileWith('webp', '-XMP-dc:Title=a boat')
  const stored = await storedFile(bytes, { pieceBytes: 50 })
  expect(Buffer.compare(stored.bytes, bytes)).toBe(0)
  expect(stored.lines.join()).toContain('it has XMP that can not grow in a stream')
})
