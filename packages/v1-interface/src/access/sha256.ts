const utf8 = new TextEncoder()
const roundConstants = fractionsOf(64, (prime) => Math.cbrt(prime))
const firstHash = fractionsOf(8, (prime) => Math.sqrt(prime))
/** All calls share these arrays. A call is synchronous, so no other call can change them while it runs. */
const schedule = new Int32Array(64)
const hash = new Int32Array(8)
const halves = new Uint16Array(hash.buffer)

/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8. It is synchronous and works on every runtime. For a key it takes one or two
 * microseconds, `crypto.subtle` about 50.
 * @returns a string of 16 UTF-16 code units that hold the 256 bits: for comparisons, not for display
 */
export function sha256(text: string): string {
  const padded = paddedBytes(text)
  hash.set(firstHash)
  for (let at = 0; at < padded.byteLength; at += 64) addBlock(padded, at)
  return String.fromCharCode.apply(undefined, halves as unknown as number[])
}

/**
 * The bytes with the padding of section 5.1.1: one bit of 1, then zeros, then the number of bits, so that the
 * whole is a multiple of 64 bytes.
 */
function paddedBytes(text: string): DataView<ArrayBuffer> {
  const bytes = utf8.encode(text)
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length * 8)
  return view
}

/**
 * Section 6.2.2. All words are signed 32-bit integers, because JavaScript engines calculate fastest with
 * those.
 */
function addBlock(padded: DataView, at: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = padded.getInt32(at + 4 * t)
  for (let t = 16; t < 64; t++) {
    const w15 = schedule[t - 15]!
    const w2 = schedule[t - 2]!
    const sigma0 = turned(w15, 7) ^ turned(w15, 18) ^ (w15 >>> 3)
    const sigma1 = turned(w2, 17) ^ turned(w2, 19) ^ (w2 >>> 10)
    schedule[t] = (((schedule[t - 16]! + sigma0) | 0) + ((schedule[t - 7]! + sigma1) | 0)) | 0
  }
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  let e = hash[4]!
  let f = hash[5]!
  let g = hash[6]!
  let h = hash[7]!
  for (let t = 0; t < 64; t++) {
    const sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const chosen = (((e & f) ^ (~e & g)) + h) | 0
    const first = (((sum1 + chosen) | 0) + ((roundConstants[t]! + schedule[t]!) | 0)) | 0
    const sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const second = (sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  hash[0]! += a
  hash[1]! += b
  hash[2]! += c
  hash[3]! += d
  hash[4]! += e
  hash[5]! += f
  hash[6]! += g
  hash[7]! += h
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

/** The first 32 bits of the fractional parts of the roots of the first primes (sections 4.2.2 and 5.3.3). */
function fractionsOf(count: number, root: (prime: number) => number): Int32Array {
  const fractions = new Int32Array(count)
  let candidates = 0
  for (let n = 2; candidates < count; n++) if (isPrime(n)) fractions[candidates++] = (root(n) % 1) * 2 ** 32
  return fractions
}

function isPrime(n: number): boolean {
  for (let by = 2; by * by <= n; by++) if (n % by === 0) return false
  return true
}
