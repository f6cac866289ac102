import type { BodyReader } from '@genmount/v1-interface'

/** @throws when somebody has read the body before us, which is a mistake of the app and not of its client */
export function bodyOf(request: Request): BodyReader {
  if (request.bodyUsed) throw new Error('The request body was read before the request came to genmount.')
  const reader = request.body?.getReader()
  return {
    read: () => reader?.read() ?? Promise.resolve({ done: true }),
    // A body that has broken off rejects this as well; who reads it knows already.
    cancel: () => void reader?.cancel().catch(() => {}),
  }
}
