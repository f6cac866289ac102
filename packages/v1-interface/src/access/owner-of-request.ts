/** The requests of this process whose owner its code wants to know, with the owner once it is known. */
const owners = new WeakMap<object, string | undefined>()

/**
 * Makes the interface note the owner of a request that code of this process is about to send to it, so that this code
 * can count by owners as the interface does.
 * @param request the request as its host passes it on, such as a web Request. A copy of it is another request
 * @returns a function that returns the owner. `undefined` before the request has passed the check of its key, and when
 * it never reached an interface of this process in this form
 */
export function ownerOfRequest(request: object): () => string | undefined {
  owners.set(request, undefined)
  return () => owners.get(request)
}

/** Notes the owner of a request for {@link ownerOfRequest}. */
export function noteOwner(fromHost: object | undefined, owner: string): void {
  const request = (fromHost as { readonly request?: object } | undefined)?.request
  if (request && owners.has(request)) owners.set(request, owner)
}
