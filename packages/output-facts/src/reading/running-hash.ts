/** A SHA-256 (FIPS 180-4) of bytes that come one after the other. */
export interface RunningHash {
  /** Adds bytes, which it does not keep. */
  add(bytes: Uint8Array): void | Promise<void>
  /** The hash of all bytes, in lower-case hexadecimal. Called once. */
  hex(): string | Promise<string>
}

/** A hash of `node:crypto`. */
interface NodeHash {
  update(bytes: Uint8Array): unknown
  digest(encoding: 'hex'): string
}

/** What runtimes have beyond the standard. */
interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: 'node:crypto'): { createHash(name: 'sha256'): NodeHash } | undefined
  }
  /** Of workerd: https://developers.cloudflare.com/workers/runtime-apis/web-crypto/#constructors, read in November 2026. */
  readonly crypto: {
    readonly DigestStream?: new (
      name: 'SHA-256',
    ) => WritableStream<Uint8Array> & { readonly digest: Promise<ArrayBuffer> }
  }
}

/** Begins a hash. @returns `undefined` in a runtime that only hashes bytes that are all in memory */
export function runningHash(): RunningHash | undefined {
  const { process, crypto } = globalThis as unknown as Runtime
  const node = process?.getBuiltinModule?.('node:crypto')
  if (node) {
    const hash = node.createHash('sha256')
    return { add: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
  }
  if (!crypto.DigestStream) return undefined
  const stream = new crypto.DigestStream('SHA-256')
  const writer = stream.getWriter()
  return {
    add: (bytes) => writer.write(bytes),
    async hex() {
      await writer.close()
      return Array.from(new Uint8Array(await stream.digest), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join('')
    },
  }
}
