import type { Output } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import { failed, type FailedReport, unknownNow, type UnknownReport } from '@genmount/vendor-http'
import type { GoogleApi, TaskFetching } from './google-api.ts'

/** For each video; a call has five minutes. */
const limits = { maxBytes: 512 * 1024 * 1024, timeoutMs: 280_000 }

/**
 * Downloads videos, because a link to one is worth nothing without the key, and must not be given away with it. The key
 * goes to the API's own origin only, and not along with a redirect to another.
 * @returns a report instead when they are not to be had now, or never
 * @throws Error when they may be had later
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
    // What else a status says is about the key or the quota, and may pass.
    if (error.status !== undefined) throw error
    return failed('output_invalid', `The video can not be fetched: ${error.message}`)
  }
}
