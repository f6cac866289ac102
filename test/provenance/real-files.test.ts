// @module-tag needs/exiftool needs/ffmpeg needs/imagemagick
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { sha256Hex } from '@genmount/core'
import { readProvenance } from '@genmount/provenance'
import { type MadeFile, madeFiles } from '../media/made-files.ts'
import { outputOf, runProgram } from '../processes/run-program.ts'
import { programPath } from '../suite/system-needs.ts'
import { pieces, storedFile } from './marking-world.ts'
import { disposableFolder } from '../disposable-folder.ts'

const markedTypes = /^image\/(png|jpeg|webp|gif|avif|heic)$|^video\/(mp4|quicktime|3gpp)$|^audio\/mp4$/
const trained = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'

let files: readonly MadeFile[] = []
beforeAll(
  async () => void (files = (await madeFiles()).filter(({ contentType }) => markedTypes.test(contentType))),
)

/** What exiftool reads of each file. */
async function readByExiftool(marked: readonly MadeFile[]): Promise<readonly Record<string, unknown>[]> {
  using folder = disposableFolder()
  const paths = marked.map(({ name }) => join(folder.path, name))
  marked.forEach(({ bytes }, index) => writeFileSync(paths[index]!, bytes))
  const asJson = ['-j', '-n', '-G1', '-struct', '-validate', '-warning', '-error', '-all']
  return JSON.parse(await outputOf([programPath('exiftool'), ...asJson, ...paths])) as Record<
    string,
    unknown
  >[]
}

/** A checksum of all decoded pixels or samples. */
async function decoded({ name, contentType, bytes }: MadeFile): Promise<string> {
  if (contentType.startsWith('image/') && !/heic|moving.avif/.test(name))
    return sha256Hex(new Uint8Array(await sharp(bytes, { animated: true }).raw().toBuffer()))
  using folder = disposableFolder()
  const path = join(folder.path, name)
  writeFileSync(path, bytes)
  if (name.endsWith('.heic'))
    return sha256Hex((await runProgram([programPath('imagemagick'), path, 'rgb:-'])).bytes)
  // Those of the files whose brands are cut off decode badly, before and after.
  const { exit, stdout } = await runProgram([programPath('ffmpeg'), '-i', path, '-f', 'framemd5', '-'])
  return `${exit} ${stdout}`
}

test('exiftool reads the mark of each format and finds no new fault in the file, and every frame stays the same', async () => {
  expect(files.length).toBeGreaterThan(10)
  const options = { include: ['model', 'time', 'job'] } as const
  const stored = await Promise.all(files.map(({ bytes }) => storedFile(bytes, { options })))
  const marked = files.map((file, index) => ({
    ...file,
    bytes: stored[index]!.bytes,
  }))
  const [before, after] = [await readByExiftool(files), await readByExiftool(marked)]
  for (const [index, { job, recordedBytes, lines, bytes }] of stored.entries()) {
    const { name } = files[index]!
    const read = after[index]!
    expect(lines.join(), name).not.toMatch(/stored without/)
    expect(read, name).toMatchObject({
      'XMP-iptcExt:DigitalSourceType': trained,
      'XMP-iptcExt:AISystemUsed': 'fake-image',
      'XMP-dc:Identifier': job.id,
      'XMP-xmp:CreateDate': expect.stringContaining(':') as string,
    })
    for (const fault of ['ExifTool:Warning', 'ExifTool:Error'])
      expect(read[fault], name).toEqual(before[index]![fault])
    expect(recordedBytes).toBe(bytes.byteLength)
    expect(await readProvenance(pieces(bytes)), name).toMatchObject({
      isReadable: true,
      digitalSourceType: 'trainedAlgorithmicMedia',
      model: 'fake-image',
      job: job.id,
    })
  }
  for (const [index, file] of files.entries())
    expect(await decoded(marked[index]!), file.name).toBe(await decoded(file))
})
