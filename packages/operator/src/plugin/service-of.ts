import { GenerationError, type PluginHost, type ServiceActions } from '@genmount/core'
import type { LimitsMethods } from '@genmount/core/limits'
import type { UsageMethods } from '@genmount/core/usage'
import type { WebhookMethods } from '@genmount/core/webhooks'

/** What other plugins may add to the service. */
export type OtherMethods = LimitsMethods & UsageMethods & WebhookMethods

/** The service, which has the methods of the plugins that it uses. */
export function serviceOf(host: Pick<PluginHost, 'service'>): ServiceActions & Partial<OtherMethods> {
  return host.service<OtherMethods>()
}

/** Starts the service, unless it is closing: then its jobs can still be read. */
export function startUnlessClosing({ closing, start }: Pick<PluginHost, 'closing' | 'start'>): void {
  if (!closing.hasEnded) start()
}

/**
 * The part of the service or of its job store that a route needs.
 * @param what what is missing without it, as the begin of a sentence
 * @throws GenerationError `not_supported` when it is `undefined`
 */
export function needed<Part>(part: Part | undefined, what: string): Part {
  if (part !== undefined) return part
  throw new GenerationError('not_supported', `${what}.`)
}
