import { type FileFetch, memoryFileStore, type ServicePlugin } from '@genmount/core'
import { provenance, type ProvenanceOptions } from '@genmount/provenance'
import { fakeWorld } from '@genmount/testing'

/** A stream of these bytes, in pieces of some bytes each. */
export function pieces(bytes: Uint8Array, pieceBytes = 1000): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close()
      controller.enqueue(bytes.slice(at, at + pieceBytes))
      at += pieceBytes
    },
  })
}

/** A job whose output is to be stored. */
interface MarkedJob {
  readonly options?: ProvenanceOptions
  readonly input?: object
  /** Further plugins, before the one that marks. */
  readonly before?: readonly ServicePlugin[]
  /** How the output comes: as bytes, or at a link whose server sends pieces of this many bytes. */
  readonly pieceBytes?: number
}

/** Lets a service with the plugin `provenance` make an output of these bytes. @returns the file that it has stored */
export async function storedFile(
  bytes: Uint8Array,
  { options = {}, input = {}, before = [], pieceBytes }: MarkedJob = {},
) {
  let fetches = 0
  const fetch: FileFetch = async () => {
    fetches++
    return { body: pieces(bytes, pieceBytes) }
  }
  const files = { ...memoryFileStore(), fetch }
  const output = pieceBytes === undefined ? { bytes } : { url: 'https://cdn.test/0' }
  const { create, clock, jobs, log, service } = fakeWorld(
    { behave: [{ outputs: [output] }] },
    { files, plugins: [...before, provenance(options)] },
  )
  const { id } = await create(input)
  for (let second = 0; second < 60; second++) {
    await clock.advance(1000)
    const [stored] = (await jobs.get(id))?.outputs ?? []
    if (stored?.fileKey !== undefined) break
  }
  const job = await jobs.get(id)
  const [stored] = job?.outputs ?? []
  if (!job || stored?.fileKey === undefined) throw new Error(`Nothing is stored: ${log.lines.join(' ')}`)
  const file = await files.open?.(stored.fileKey)
  const marked = new Uint8Array(await new Response(file?.read()).arrayBuffer())
  await service.close()
  return { job, bytes: marked, recordedBytes: stored.bytes, fetches, lines: log.lines }
}
