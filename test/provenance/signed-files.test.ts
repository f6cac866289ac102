import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { readProvenance, type SignFile } from '@genmount/provenance'
import { pieces, storedFile } from './marking-world.ts'

const signed = globSync(new URL('signed/signed.*', import.meta.url).pathname).map((path) => ({
  name: basename(path),
  bytes: new Uint8Array(readFileSync(path)),
}))

test.each(signed)(
  '$name, which has a C2PA manifest, is stored byte for byte, and not signed again',
  async ({ bytes }) => {
    const sign: SignFile = ({ body }) =>
      body.pipeThrough(
        new TransformStream({
          flush: (controller) => controller.enqueue(new TextEncoder().encode('signed')),
        }),
      )
    for (const options of [{}, { sign }])
      for (const pieceBytes of [undefined, 7, 100_000]) {
        const stored = await storedFile(bytes, { options, ...(pieceBytes !== undefined && { pieceBytes }) })
        expect(Buffer.compare(stored.bytes, bytes)).toBe(0)
      }
    expect(await readProvenance(pieces(bytes))).toMatchObject({ isReadable: true, hasC2paManifest: true })
  },
)
