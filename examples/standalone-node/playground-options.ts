import type { MountedPlaygroundOptions } from '@genmount/playground'
import type { Settings } from './settings.ts'

/** The page starts with the key that everybody knows, and asks for any other. */
export function playgroundOptions({ usesDefaultKey, apiKeys }: Settings): MountedPlaygroundOptions {
  return { publicKey: usesDefaultKey ? apiKeys['dev'] : undefined }
}
