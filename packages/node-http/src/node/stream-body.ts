import type { IncomingMessage } from 'node:http'
import type { BodyReader } from '@genmount/v1-interface'

/** @throws when somebody has read the body before us, which is a mistake of the app and not of its client */
export function streamBody(req: IncomingMessage): BodyReader {
  if (req.readableDidRead) throw new Error('The request body was read before the request came to genmount.')
  // The socket has to outlive a body that is refused halfway, or the refusal would never arrive.
  const chunks = req.iterator({ destroyOnReturn: false })
  return {
    read: () => chunks.next(),
    cancel: () => void chunks.return?.().catch(() => {}),
  }
}
