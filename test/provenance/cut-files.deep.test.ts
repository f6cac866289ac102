// @module-tag needs/ffmpeg needs/imagemagick
import { expect, test } from 'vitest'
import { type MadeFile, madeFiles } from '../media/made-files.ts'
import { readProvenance } from '@genmount/provenance'
import { pieces, storedFile } from './marking-world.ts'

/** What becomes of a file: it is stored as it came, or with a mark that can be read. */
async function outcome({ name }: MadeFile, bytes: Uint8Array, pieceBytes: number | undefined): Promise<void> {
  const stored = await storedFile(bytes, pieceBytes === undefined ? {} : { pieceBytes })
  expect(stored.recordedBytes).toBe(stored.bytes.byteLength)
  if (Buffer.compare(stored.bytes, bytes) === 0) return
  const says = await readProvenance(pieces(stored.bytes))
  expect(says, name).toMatchObject({
    isReadable: true,
    digitalSourceType: 'trainedAlgorithmicMedia',
  })
}

test('files of all formats, cut off at many places and with changed bytes, are stored as they came or with a readable mark', async () => {
  const files = (await madeFiles()).filter(({ bytes }) => bytes.byteLength < 20_000)
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (const file of files)
    for (let round = 0; round < 24; round++) {
      const { bytes } = file
      const changed = bytes.slice(0, round % 2 === 0 ? 64 + random(bytes.byteLength) : bytes.byteLength)
      // Most changes are near the beginning, where the structure of a file is.
      if (round % 4 !== 0) changed[12 + random(Math.min(changed.byteLength - 12, 400))] = random(256)
      await outcome(file, changed, round % 3 === 0 ? 1 + random(200) : undefined)
    }
}, 300_000)
