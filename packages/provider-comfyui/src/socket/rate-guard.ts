/**
 * The most that a server may send within one second. ComfyUI sends a few messages per step, each of a few kilobytes.
 */
const maxPerSecond = { messages: 2000, bytes: 8 * 1024 * 1024 }

/**
 * Makes the function that counts messages and bytes. It returns whether the server has sent too much within one second.
 */
export function rateGuard(): (messages: number, bytes: number) => boolean {
  let since = performance.now()
  let counted = { messages: 0, bytes: 0 }
  return (messages, bytes) => {
    const now = performance.now()
    if (now - since >= 1000) [since, counted] = [now, { messages: 0, bytes: 0 }]
    counted = { messages: counted.messages + messages, bytes: counted.bytes + bytes }
    return counted.messages > maxPerSecond.messages || counted.bytes > maxPerSecond.bytes
  }
}
