import type { GenerationService } from '@genmount/core'

/** Who sent a request, and to which service. */
export interface Sender {
  /** The owner of the request's key. */
  readonly owner: string
  /** The service behind the interface that got the request. */
  readonly service: GenerationService
}

/** The requests of this process whose sender its code wants to know, with the sender once it is known. */
const senders = new WeakMap<object, Sender | undefined>()

/**
 * Makes the interface note the sender of a request that code of this process is about to send to it, so that this code
 * can count by owners as the interface does, and wait for the owner's jobs as it does.
 * @param request the request as its host passes it on, such as a web Request. A copy of it is another request
 * @returns a function that returns the sender. `undefined` before the request has passed the check of its key, and when
 * it never reached an interface of this process in this form
 */
export function senderOfRequest(request: object): () => Sender | undefined {
  senders.set(request, undefined)
  return () => senders.get(request)
}

/** Notes the sender of a request for {@link senderOfRequest}. */
export function noteSender(fromHost: object | undefined, sender: Sender): void {
  const request = (fromHost as { readonly request?: object } | undefined)?.request
  if (request && senders.has(request)) senders.set(request, sender)
}
