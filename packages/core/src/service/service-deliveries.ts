import type { Deliverer, DeliveryContext } from '../deliveries/deliverer.ts'
import type { OptionalParts } from './optional-parts.ts'

/** Makes the deliverer of a service with webhooks. A job that it takes before its code is loaded is delivered then. */
export function serviceDeliveries(parts: OptionalParts, context: DeliveryContext): Deliverer {
  const whenLoaded = parts.load('webhooks', ({ deliverer }) => deliverer(context))
  return {
    take: (job) => void whenLoaded(({ take }) => take(job)),
    settled: () => whenLoaded(({ settled }) => settled()).catch(() => {}),
  }
}
