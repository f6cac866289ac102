import type { Client, Model } from '@genmount/client'

/** After so many milliseconds the models are asked for again. */
const keptMs = 60_000

/** Gives the models of the service, and asks for them at most once a minute. */
export function modelList(client: Client<object>): () => Promise<readonly Model[]> {
  let latest: Promise<readonly Model[]> | undefined
  let askedAt = 0
  return () => {
    if (latest === undefined || Date.now() - askedAt >= keptMs) {
      askedAt = Date.now()
      latest = client.models()
      latest.catch(() => void (latest = undefined))
    }
    return latest
  }
}
