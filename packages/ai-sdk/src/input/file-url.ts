import type { ImageModelV4File } from '@ai-sdk/provider'
import { type Client, takesNoUploads, toBase64 } from '@genmount/client'

/** A file in a call of the AI SDK. In a call for a video, a file that is a URL may have no media type. */
export type GivenFile = Pick<ImageModelV4File & { type: 'file' }, 'type' | 'mediaType' | 'data'> | GivenUrl

interface GivenUrl {
  readonly type: 'url'
  readonly url: string
  readonly mediaType?: string
}

/**
 * The URL of a file for the input of a job. Bytes are uploaded, or become a data URI if the server takes no uploads.
 */
export async function fileUrl(
  client: Client<object>,
  file: GivenFile,
  signal?: AbortSignal,
): Promise<string> {
  if (file.type === 'url') return file.url
  const { data, mediaType: type } = file
  const bytes = typeof data === 'string' ? Uint8Array.from(atob(data), (c) => c.charCodeAt(0)) : data
  try {
    return (await client.upload(new Blob([bytes as BlobPart], { type }), { signal })).url
  } catch (error) {
    if (!takesNoUploads(error)) throw error
    return `data:${type};base64,${typeof data === 'string' ? data : toBase64(data)}`
  }
}
