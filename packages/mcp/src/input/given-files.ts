import { type Client, GenmountError } from '@genmount/client'
import { base64 } from '../results/base64.ts'
import { type FileReference, readFileUri } from '../results/file-uri.ts'

/** No model takes more files in one field. The service refuses longer lists. */
const maxListed = 16

/**
 * Puts something that the service can read in the place of each file of an earlier job: an upload, or to a service that
 * takes no uploads a data URI.
 */
export async function withGivenFiles(
  client: Client<object>,
  fields: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const given = (value: unknown) => {
    const reference = typeof value === 'string' ? readFileUri(value) : undefined
    return reference ? uploaded(client, reference, signal) : value
  }
  const isList = (value: unknown) => Array.isArray(value) && value.length <= maxListed
  const entries = Object.entries(fields).map(
    async ([name, value]) =>
      [
        name,
        isList(value) ? await Promise.all((value as unknown[]).map(given)) : await given(value),
      ] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

async function uploaded(
  client: Client<object>,
  { jobId, n }: FileReference,
  signal: AbortSignal,
): Promise<string> {
  const blob = await (await client.download(jobId, n, { signal })).blob()
  try {
    return (await client.upload(blob, { signal })).url
  } catch (error) {
    if (!(error instanceof GenmountError) || error.code !== 'route_not_found') throw error
    return `data:${blob.type};base64,${base64(new Uint8Array(await blob.arrayBuffer()))}`
  }
}
