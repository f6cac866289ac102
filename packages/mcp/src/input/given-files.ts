import { type Client, takesNoUploads, toBase64 } from '@genmount/client'
import { isElsewhere } from '../results/elsewhere.ts'
import { type FileReference, fileUri, readFileUri } from '../results/file-uri.ts'
import { ToolError } from '../tools/tool-error.ts'

/** The most files in one field. No model takes more, and the service refuses longer lists. */
const maxListed = 16

/**
 * The most bytes of files, in all, that the body of a repeatable create contains. By default a service accepts bodies
 * of up to 20 MiB.
 */
const maxInlineBytes = 4_000_000

/**
 * Replaces each file of an earlier job with something that the service can read: an upload, or a data URI if the
 * service takes no uploads and the file is small enough.
 * @param isRepeatable whether a second call must give the same input. Each upload has a new name, so small files are
 * then data URIs
 * @throws ToolError `request_too_large` for a larger file, if the service takes no uploads
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

  const uploaded = async (value: unknown) => {
    const reference = referenceIn(value)
    return reference ? readable(client, reference, maxInline, signal) : value
  }
  const entries = Object.entries(fields).map(async ([name, value]) => {
    return [name, isList(value) ? await Promise.all(value.map(uploaded)) : await uploaded(value)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

function referenceIn(value: unknown): FileReference | undefined {
  return typeof value === 'string' ? readFileUri(value) : undefined
}

async function readable(
  client: Client<object>,
  reference: FileReference,
  maxInline: number,
  signal: AbortSignal,
): Promise<string> {
  const { jobId, n } = reference
  const response = await client.download(jobId, n, { signal })
  // The service itself fetches a file that is elsewhere, and only from addresses that it allows.
  if (isElsewhere(response)) return response.url
  const { headers, body } = response
  const isSmall = Number(headers.get('content-length') ?? Infinity) <= maxInlineBytes
  const type = headers.get('content-type') ?? undefined
  const file = !isSmall && body ? body : await response.blob()
  const isBlob = file instanceof Blob
  if (isBlob && file.size <= maxInline) return dataUri(file)
  try {
    return (await client.upload(file, { type, signal })).url
  } catch (error) {
    if (!isBlob) await file.cancel().catch(() => {})
    if (!takesNoUploads(error)) throw error
    if (isBlob) return dataUri(file)
    const message = `${fileUri(reference)} has more than ${maxInlineBytes} bytes, and this service takes no uploads.`
    throw new ToolError('request_too_large', message)
  }
}

async function dataUri(blob: Blob): Promise<string> {
  return `data:${blob.type};base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`
}
