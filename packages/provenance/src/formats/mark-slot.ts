import type { ByteSource } from '../bytes/byte-source.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** What the writer of a format asks about the mark while it passes a file on. One object serves one file. */
export interface MarkSlot {
  /**
   * Says what is to be written. Called at each packet of the file, and with `undefined` at the place for a new one.
   * @param existing the XMP packet that the file has here
   * @returns the packet to write here, in place of the existing one; `undefined` to change nothing
   * @throws UnmarkableError when the file has a packet behind a new one
   */
  packetFor(existing: Uint8Array | undefined): Uint8Array | undefined
  /**
   * Reports that the file has a C2PA manifest, so that nothing may be changed in it.
   * @throws UnmarkableError when something is changed already
   */
  manifest(): void
}

/** Passes a file on, with the mark. It holds no more of it than one header or packet. */
export type MarkWriter = (file: ByteSource, slot: MarkSlot) => AsyncGenerator<Uint8Array>

/**
 * Makes the slot for one file.
 * @param packetFor makes the packet; `undefined` leaves the file as it is
 */
export function markSlot(packetFor: (existing: Uint8Array | undefined) => Uint8Array | undefined): MarkSlot {
  let state: 'open' | 'kept' | 'changed' = 'open'
  let hasManifest = false
  return {
    packetFor(existing) {
      if (state === 'changed' && existing)
        throw new UnmarkableError('it has XMP behind the place of the mark')
      if (hasManifest || (state !== 'open' && !existing)) return undefined
      const packet = packetFor(existing)
      state = packet ? 'changed' : 'kept'
      return packet
    },
    manifest() {
      hasManifest = true
      if (state === 'changed')
        throw new UnmarkableError('it has a C2PA manifest, which stays valid like this')
    },
  }
}
