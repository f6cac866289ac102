/** Returns random numbers from 0 to below 1. The same seed gives the same numbers on every engine. */
export type Random = () => number

/** A separate sequence of random numbers for each purpose, so that an additional bird does not change the mountains. */
export type Streams = (purpose: string) => Random

/** @param variation different texts make different numbers for the same prompt */
export function streamsOf(prompt: string, variation: string): Streams {
  return (purpose) => randomFrom(`${prompt.trim().toLowerCase()}/${variation}/${purpose}`)
}

/** FNV-1a over UTF-16 code units, with a final mixing step, so that similar texts have very different hashes. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The generator Mulberry32, which is small, fast and good enough for pictures. */
export function randomFrom(text: string): Random {
  let state = hashText(text)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random()
}

export function pick<const T extends readonly [unknown, ...unknown[]]>(
  random: Random,
  choices: T,
): T[number] {
  return choices[Math.floor(random() * choices.length)]
}
