import type { FileStore } from '@genmount/core'
import type { MountedPlaygroundOptions } from '@genmount/playground'
import type { Settings } from './settings.ts'

/**
 * The page starts with the published key `dev-key`. If the server has other keys, the page asks for one. If a bucket
 * stores the outputs, the page may load them from the bucket.
 */
export async function playgroundOptions(
  { ownKey, apiKeys }: Pick<Settings, 'ownKey' | 'apiKeys'>,
  files: FileStore,
): Promise<MountedPlaygroundOptions> {
  const publicKey = ownKey === 'published' ? apiKeys['dev'] : undefined
  const options = { publicKey, outputFacts: true }
  if (!files.link) return options
  // Any link contains the origin of the bucket. This link is never opened.
  const link = await files.link('playground', Date.now() + 60_000)
  return { ...options, outputOrigins: [new URL(link).origin] }
}
