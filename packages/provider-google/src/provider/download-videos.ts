import type { Output } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import { failed, type FailedReport, unknownNow, type UnknownReport } from '@genmount/vendor-http'
import type { GoogleApi, TaskFetching } from './google-api.ts'

/** The limits of each video. A provider call has 300 s. */
const limits = { maxBytes: 512 * 1024 * 1024, timeoutMs: 280_000 }

/**
 * Downloads videos, because their links open only with the API key, which clients must not see. The key is sent only to
 * the API's own origin, and never to another origin that it redirects to.
 * @returns the videos, or a report when Google does not have them any more or they cannot be fetched
 * @throws Error when the download may succeed later
 */
export async function downloadVideos(
  uris: readonly string[],
  { fetchFile, keyHeaders, origin }: GoogleApi,
  fetching: TaskFetching,
): Promise<readonly Output[] | FailedReport | UnknownReport> {
  const outputs: Output[] = []
  try {
    for (const uri of uris) {
      const headers = URL.parse(uri)?.origin === origin ? keyHeaders : {}
      outputs.push({ bytes: await (await fetchFile(uri, { ...limits, ...fetching, headers })).bytes() })
    }
    return outputs
  } catch (error) {
    if (!(error instanceof FetchRefusedError) || error.retryable) throw error
    if (error.status === 404) return unknownNow('Google does not have the video any more.')
    if (error.status === 410) return failed('provider_lost', 'Google has removed the video.')
    // Other statuses concern the key or the quota, and may be temporary.
    if (error.status !== undefined) throw error
    return failed('output_invalid', `The video cannot be fetched: ${error.message}`)
  }
}
