type Headers = Readonly<Record<string, string | undefined>> | undefined

/** How many calls of a group have begun. */
const begun = new WeakMap<object, number>()
/** The groups of the calls that begin in this turn of the event loop, by their key. */
const groups = new Map<string, object>()

/**
 * The idempotency key of one call of `doGenerate` that `generateImage` makes: the key in its headers, and from the second
 * call on also the place of the call. `generateImage` calls a model that makes one picture at a time once for each
 * picture, all with the same object of headers, and each call must get a picture of its own. The same `generateImage` with the
 * same key again gets the same pictures.
 */
export function imageKey(headers: Headers): string | undefined {
  const key = givenKey(headers)
  return key === undefined ? undefined : withPlace(key, headers ?? {})
}

/**
 * The same for a call of `doStart` that `generateVideo` makes. It copies the headers for each call, and begins all calls
 * in one turn of the event loop.
 */
export function videoKey(headers: Headers): string | undefined {
  const key = givenKey(headers)
  if (key === undefined) return undefined
  const group = groups.get(key) ?? {}
  if (!groups.has(key)) setTimeout(() => groups.delete(key))
  groups.set(key, group)
  return withPlace(key, group)
}

function withPlace(key: string, group: object): string {
  const place = (begun.get(group) ?? 0) + 1
  begun.set(group, place)
  return place === 1 ? key : `${key}/${place}`
}

function givenKey(headers: Headers = {}): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1]
}
