import { expect } from 'vitest'
import type { OutputFacts } from '@genmount/client'
import { madeFiles } from '../media/made-files.ts'
import { factsOfOutputs } from './facts-world.ts'

/** A file that is not what it begins as. */
interface BrokenFile {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Small numbers that look random and are the same in each run: the generator mulberry32. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** Real files that are cut off, with some wrong bytes, or with the beginning of another file. @param each how many of each kind */
export async function brokenFiles(each: number): Promise<readonly BrokenFile[]> {
  const files = await madeFiles()
  const next = numbersFrom(20_261_127)
  return files.flatMap(({ name, bytes }, index) => {
    const other = files[(index + 7) % files.length]!
    return Array.from({ length: each }, () => {
      const wrong = bytes.slice()
      for (let change = 0; change < 6; change++)
        // The first bytes stay, by which the type is read.
        wrong[16 + (next() % (wrong.byteLength - 16))] = [0, 1, 0x7f, 0xff][next() % 4]!
      const lying = new Uint8Array(bytes.byteLength)
      lying.set(bytes.subarray(0, 64))
      lying.set(other.bytes.subarray(0, bytes.byteLength - 64), 64)
      return [
        { name: `cut ${name}`, bytes: bytes.slice(0, 40 + (next() % (bytes.byteLength - 40))) },
        { name: `wrong ${name}`, bytes: wrong },
        { name: `lying ${name}`, bytes: lying },
      ]
    }).flat()
  })
}

/** Stores the files, and expects that each is stored as it came and that its facts are numbers that can be. */
export async function expectStoredWithFacts(files: readonly BrokenFile[]): Promise<void> {
  for (let from = 0; from < files.length; from += 500) {
    const some = files.slice(from, from + 500)
    const outputs = await factsOfOutputs(some)
    expect(outputs).toHaveLength(some.length)
    for (const [index, { facts, download }] of outputs.entries()) {
      const { name, bytes } = some[index]!
      expect(Buffer.compare(download, bytes), name).toBe(0)
      expect(facts.bytes, name).toBe(bytes.byteLength)
      expect(facts.sha256, name).toMatch(/^[\da-f]{64}$/)
      expectInReason(name, facts)
    }
  }
}

function expectInReason(name: string, { width, height, duration, fps }: OutputFacts): void {
  for (const amount of [width, height, duration, fps])
    if (amount !== null) expect(Number.isFinite(amount) && amount > 0, `${name}: ${amount}`).toBe(true)
  for (const pixels of [width, height])
    if (pixels !== null) expect(Number.isInteger(pixels), `${name}: ${pixels}`).toBe(true)
}
