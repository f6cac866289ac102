import type { Deliverer, DeliveryContext } from '../deliveries/deliverer.ts'
import type { OptionalParts } from './optional-parts.ts'

/**
 * Makes the deliverer of a service with webhooks. If the code of the deliverer is still loading when a job is to be
 * delivered, the delivery begins when the code is loaded.
 */
export function serviceDeliveries(parts: OptionalParts, context: DeliveryContext): Deliverer {
  const whenLoaded = parts.load('webhooks', ({ deliverer }) => deliverer(context))
  return {
    take: (job) => void whenLoaded(({ take }) => take(job)),
    settled: () => whenLoaded(({ settled }) => settled()).catch(() => {}),
  }
}
