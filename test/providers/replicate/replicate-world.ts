import type { Provider } from '@genmount/core'
import { replicateProvider, type ReplicateProviderOptions } from '@genmount/provider-replicate'
import { serviceWorld, type ServiceWorldOptions } from '../service-world.ts'
import { knownVersion, startReplicate, token } from './fake-replicate.ts'

const models: ReplicateProviderOptions['models'] = {
  painter: { model: 'acme/painter', outputKind: 'image', price: 0.001 },
  film: { model: 'acme/film', outputKind: 'video', price: 0.001 },
  versioned: { model: `acme/painter:${knownVersion}`, outputKind: 'image' },
  troubled: { model: 'acme/troubled', outputKind: 'image', price: 0.001 },
}

/** The creations and the reads of the predictions of the model `troubled`. */
export const creates = '/models/acme/troubled/predictions'
export const reads = 'GET /v1/predictions/troubled'

export function providerAt(baseUrl: string, options: Partial<ReplicateProviderOptions> = {}): Provider {
  return replicateProvider({ token, baseUrl, models, ...options })
}

/** A service in front of a fake Replicate on the same clock. */
export async function replicateWorld(
  options: Partial<ReplicateProviderOptions> = {},
  service: Pick<ServiceWorldOptions, 'plugins'> = {},
) {
  const fake = await startReplicate({ now: () => world.clock.now() })
  const world = serviceWorld(() => [providerAt(fake.baseUrl, options)], {
    ...service,
    vendor: fake,
    keepOutputs: 'redirect',
    deadlineMs: 10 * 60_000,
  })
  return { ...world, fake }
}

export type ReplicateWorld = Awaited<ReturnType<typeof replicateWorld>>
