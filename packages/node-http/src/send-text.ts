import type { ServerResponse } from 'node:http'
import type { TextSource } from '@genmount/v1-interface'

/** How long a client may read nothing of what is there, in milliseconds, before its connection is closed. */
const maxStillMs = 60_000

/**
 * Sends text that comes to be while it is sent. The next piece is asked for when the connection has taken the last one,
 * so a client who reads slowly takes no memory.
 */
export async function sendText(source: TextSource, res: ServerResponse): Promise<void> {
  for (let piece = await source.next(); piece !== undefined; piece = await source.next()) {
    const isTaken = res.write(piece)
    flush(res)
    if (!isTaken) await drained(res)
  }
  res.end()
}

/** A middleware that compresses, such as Express's `compression`, holds text back until it is told to send it. */
function flush(res: ServerResponse & { readonly flush?: unknown }): void {
  if (typeof res.flush === 'function') res.flush()
}

/** Resolves when the connection takes more, or has been closed. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), maxStillMs).unref()
    const go = () => {
      clearTimeout(timer)
      res.off('drain', go).off('close', go)
      resolve()
    }
    res.on('drain', go).on('close', go)
    if (res.closed) go()
  })
}
