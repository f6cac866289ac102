import { gatheredBytes } from '@genmount/core'

/** How many bytes a buffer may have at first because a vendor has announced them. None of them may come. */
const mostAnnounced = 1024 * 1024

/**
 * The bytes of an answer, at most `maxBytes`. If they are gzip, they are inflated: `fetch` does that only where a header says
 * so.
 * @param checkOf makes what is called with each piece; the rest is not read when it throws
 * @throws the error of the network, of a check, or that a successful answer in gzip has no end
 */
export async function readBody(
  { ok, body, headers }: Response,
  maxBytes: number,
  checkOf: () => (piece: Uint8Array) => void,
) {
  const announced = Number(headers.get('content-length') ?? 0)
  const sent = await readUpTo(body ?? [], maxBytes, announced, checkOf())
  if (sent.bytes[0] !== 0x1f || sent.bytes[1] !== 0x8b) return sent
  const inflated = new Blob([sent.bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  try {
    return await readUpTo(inflated, maxBytes, sent.bytes.byteLength, checkOf())
  } catch (fault) {
    if (ok) throw fault
    return sent
  }
}

/** Counts the bytes as they arrive, because `content-length` can be missing or wrong. */
async function readUpTo(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxBytes: number,
  announced: number,
  check: (piece: Uint8Array) => void,
) {
  const firstBytes = Math.min(announced || 0, maxBytes, mostAnnounced)
  const gathered = gatheredBytes({ expectedBytes: maxBytes, firstBytes })
  let isCut = false
  for await (const chunk of pieces) {
    const room = maxBytes - gathered.size
    check(chunk)
    gathered.add(chunk.subarray(0, room))
    isCut = chunk.byteLength > room
    // Leaving the loop cancels the rest of the body.
    if (isCut) break
  }
  return { bytes: gathered.whole(), isCut }
}
