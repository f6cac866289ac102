import type { Buffer } from 'node:buffer'
import { nodeModule } from './node-modules.ts'

/** The kinds of frames: RFC 6455, section 5.2. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** A whole frame of a client, whose bytes are masked: RFC 6455, section 5.3. @param payload at most 65535 bytes */
export function clientFrame(opcode: number, payload: Uint8Array): Buffer {
  const { Buffer: Bytes } = nodeModule('node:buffer')
  const size = payload.length
  const head = size < 126 ? [0x80 | size] : [0x80 | 126, size >> 8, size & 255]
  const mask = crypto.getRandomValues(new Uint8Array(4))
  const masked = payload.map((byte, at) => byte ^ mask[at % 4]!)
  return Bytes.concat([Bytes.from([0x80 | opcode, ...head]), mask, masked])
}
