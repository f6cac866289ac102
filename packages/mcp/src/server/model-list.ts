import type { Client, Model } from '@genmount/client'

/** How long a list of models is reused, in milliseconds. */
const keptMs = 60_000

/** Makes a function that returns the models of the service. It requests them at most once a minute. */
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
