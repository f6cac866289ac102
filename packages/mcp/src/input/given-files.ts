import { type Client, takesNoUploads, toBase64 } from '@genmount/client'
import { isElsewhere } from '../results/elsewhere.ts'
import { type FileReference, readFileUri } from '../results/file-uri.ts'

/** No model takes more files in one field. The service refuses longer lists. */
const maxListed = 16

/** So many bytes of files go into the body of a repeatable create at most, in all. Services take 20 MiB unless told otherwise. */
const maxInlineBytes = 4_000_000

/**
 * Puts something that the service can read in the place of each file of an earlier job: an upload, or to a service that
 * takes no uploads a data URI, unless the file is too large for that.
 * @param isRepeatable whether a second call should give the same input, which it can't with uploads, because each has a
 * name of its own: small files are data URIs then
 */
export async function withGivenFiles(
  client: Client<object>,
  fields: Readonly<Record<string, unknown>>,
  isRepeatable: boolean,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= maxListed
  const values = Object.values(fields).flatMap((value) => (isList(value) ? value : [value]))
  const count = values.filter((value) => referenceIn(value) !== undefined).length
  const maxInline = isRepeatable ? maxInlineBytes / count : 0

  const given = async (value: unknown) => {
    const reference = referenceIn(value)
    return reference ? readable(client, reference, maxInline, signal) : value
  }
  const entries = Object.entries(fields).map(async ([name, value]) => {
    return [name, isList(value) ? await Promise.all(value.map(given)) : await given(value)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

function referenceIn(value: unknown): FileReference | undefined {
  return typeof value === 'string' ? readFileUri(value) : undefined
}

async function readable(
  client: Client<object>,
  { jobId, n }: FileReference,
  maxInline: number,
  signal: AbortSignal,
): Promise<string> {
  const response = await client.download(jobId, n, { signal })
  // The service fetches what is elsewhere itself, and only from where it may.
  if (isElsewhere(response)) return response.url
  const { headers, body } = response
  const isSmall = Number(headers.get('content-length') ?? Infinity) <= maxInlineBytes
  const type = headers.get('content-type') ?? undefined
  if (!isSmall && body) return (await client.upload(body, { type, signal })).url
  const blob = await response.blob()
  if (blob.size <= maxInline) return dataUri(blob)
  try {
    return (await client.upload(blob, { signal })).url
  } catch (error) {
    if (!takesNoUploads(error)) throw error
    return dataUri(blob)
  }
}

async function dataUri(blob: Blob): Promise<string> {
  return `data:${blob.type};base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`
}
