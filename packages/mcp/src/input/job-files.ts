import { type Client, jobUrl, type OutputReference, readJobUrl, toBase64 } from '@genmount/client'
import { isElsewhere } from '../results/elsewhere.ts'
import { readFileUri } from '../results/file-uri.ts'
import { ToolError } from '../tools/tool-error.ts'

/** The most files in one field. No model takes more, and the service refuses longer lists. */
const maxListed = 16

/** The most bytes of a file that a create contains. By default a service accepts bodies of up to 20 MiB. */
const maxInlineBytes = 4_000_000

/**
 * Replaces each file of another job with something that the service can read: its own reference to the output, by which it
 * also waits for the job, or a data URI if the service takes no uploads, and so knows no references.
 * @throws ToolError `request_too_large` for a file that is too large for a data URI; GenmountError `file_not_ready` for a
 *   job that has not finished, if the service knows no references
 */
export async function withJobFiles(
  client: Client<object>,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length <= maxListed
  const values = Object.values(fields).flatMap((value) => (isList(value) ? value : [value]))
  if (!values.some(referenceIn)) return { ...fields }
  const knowsReferences = await client.takesUploads({ signal })
  const readable = async (value: unknown) => {
    const reference = referenceIn(value)
    if (!reference) return value
    return knowsReferences ? jobUrl(reference.jobId, reference.n) : inlineFile(client, reference, signal)
  }
  const entries = Object.entries(fields).map(async ([name, value]) => {
    return [name, isList(value) ? await Promise.all(value.map(readable)) : await readable(value)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

function referenceIn(value: unknown): OutputReference | undefined {
  return typeof value === 'string' ? (readJobUrl(value) ?? readFileUri(value)) : undefined
}

async function inlineFile(
  client: Client<object>,
  { jobId, n }: OutputReference,
  signal: AbortSignal,
): Promise<string> {
  const response = await client.download(jobId, n, { signal })
  // The service itself fetches a file that is elsewhere, and only from addresses that it allows.
  if (isElsewhere(response)) return response.url
  const { headers, body } = response
  if (Number(headers.get('content-length') ?? Infinity) > maxInlineBytes) {
    await body?.cancel()
    throw new ToolError(
      'request_too_large',
      `${jobUrl(jobId, n)} has more than ${maxInlineBytes} bytes, and this service takes no uploads.`,
    )
  }
  const blob = await response.blob()
  return `data:${blob.type};base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`
}
