import type { FileStore } from '@genmount/core'
import type { MountedPlaygroundOptions } from '@genmount/playground'
import type { Settings } from './settings.ts'

/**
 * The page starts with the key that everybody knows, and asks for any other. Where a bucket keeps the outputs, the page
 * loads them from there.
 */
export async function playgroundOptions(
  { usesDefaultKey, apiKeys }: Pick<Settings, 'usesDefaultKey' | 'apiKeys'>,
  files: FileStore,
): Promise<MountedPlaygroundOptions> {
  const publicKey = usesDefaultKey ? apiKeys['dev'] : undefined
  if (!files.link) return { publicKey }
  // Any link tells the origin. Nobody opens this one.
  const link = await files.link('playground', Date.now() + 60_000)
  return { publicKey, outputOrigins: [new URL(link).origin] }
}
