import type { ServerResponse } from 'node:http'
import type { TextSource } from '@genmount/v1-interface'

/** How long a client may read nothing although data is waiting, in milliseconds, before its connection is closed. */
const maxStillMs = 60_000

/**
 * Sends text that is produced while it is sent, and returns before the text ends. It asks for the next piece when the
 * connection has taken the last one, so a slow client takes no memory.
 */
export function sendText(source: TextSource, res: ServerResponse): void {
  // A callback instead of an async function: there may be thousands of clients, and each async function in progress takes
  // 500 bytes.
  void source.next().then((piece) => {
    if (piece === undefined) return void res.end()
    const isTaken = res.write(piece)
    flush(res)
    if (isTaken) sendText(source, res)
    else whenDrained(res, () => sendText(source, res))
  })
}

/** A middleware that compresses, such as Express's `compression`, holds text back until `flush` is called. */
function flush(res: ServerResponse & { flush?(): void }): void {
  res.flush?.()
}

/** Calls `go` when the connection can take more data, or has been closed. */
function whenDrained(res: ServerResponse, go: () => void): void {
  const timer = setTimeout(() => res.destroy(), maxStillMs).unref()
  const onDrain = () => {
    clearTimeout(timer)
    res.off('drain', onDrain).off('close', onDrain)
    go()
  }
  res.on('drain', onDrain).on('close', onDrain)
  if (res.closed) onDrain()
}
