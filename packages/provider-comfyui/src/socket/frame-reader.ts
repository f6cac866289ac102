import type { Buffer } from 'node:buffer'
import { opcodes } from './client-frame.ts'
import { nodeModule } from './node-modules.ts'

/** A whole message, or a control frame, of a server. */
export interface SocketMessage {
  readonly opcode: number
  readonly bytes: Buffer
}

/** A frame in a run of bytes, and where the next one begins. */
interface Frame extends SocketMessage {
  readonly isLast: boolean
  readonly end: number
}

/**
 * Makes the function that takes the bytes of a server's WebSocket as they arrive, and passes on whole messages: RFC
 * 6455, section 5. It buffers at most one message.
 * @param maxBytes how long a message may be
 * @throws RangeError when a message is longer, as soon as its header has arrived, and when the bytes are not valid
 *   frames. Do not call the function again after an error
 */
export function frameReader(
  maxBytes: number,
  take: (message: SocketMessage) => void,
): (chunk: Buffer) => void {
  const { Buffer: Bytes } = nodeModule('node:buffer')
  let held: Buffer = Bytes.alloc(0)
  let begun: { readonly opcode: number; readonly parts: Buffer[]; size: number } | undefined

  function takeFrame({ opcode, bytes, isLast }: Frame): void {
    // Control frames may come between the parts of a message.
    if (opcode >= opcodes.close) return take({ opcode, bytes })
    if ((opcode === opcodes.continuation) !== (begun !== undefined))
      throw new RangeError('A part of another message.')
    begun ??= { opcode, parts: [], size: 0 }
    begun.parts.push(bytes)
    begun.size += bytes.length
    if (begun.size > maxBytes) throw new RangeError('The message is too long.')
    if (!isLast) return
    const whole = begun
    begun = undefined
    take({ opcode: whole.opcode, bytes: Bytes.concat(whole.parts) })
  }

  return (chunk) => {
    held = held.length === 0 ? chunk : Bytes.concat([held, chunk])
    for (let frame = frameIn(held, maxBytes); frame; frame = frameIn(held, maxBytes)) {
      held = held.subarray(frame.end)
      takeFrame(frame)
    }
  }
}

/** @returns `undefined` when the frame is not whole yet */
function frameIn(bytes: Buffer, maxBytes: number): Frame | undefined {
  if (bytes.length < 2) return undefined
  const [first = 0, second = 0] = bytes
  if (first & 0x70) throw new RangeError('An extension that was not agreed on.')
  if (second & 0x80) throw new RangeError('A server masks nothing.')
  const start = second === 127 ? 10 : second === 126 ? 4 : 2
  if (bytes.length < start) return undefined
  const size = start === 10 ? Number(bytes.readBigUInt64BE(2)) : start === 4 ? bytes.readUInt16BE(2) : second
  if (size > maxBytes) throw new RangeError('The message is too long.')
  const end = start + size
  if (bytes.length < end) return undefined
  return { opcode: first & 15, isLast: (first & 0x80) !== 0, bytes: bytes.subarray(start, end), end }
}
