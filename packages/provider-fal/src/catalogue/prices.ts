import type { PricedTask } from '@genmount/core'

// For endpoints whose page names a price for a film or a picture, although fal may count something else. Where fal counts 0 units, it
// charges nothing.

/** An amount for each film, however many units fal counts. */
export function perFilm(usd: number) {
  return ({ units }: PricedTask): number => (units > 0 ? usd : 0)
}

/** An amount for each picture of at most one megapixel, however many units fal counts. */
export function perPicture(usd: number) {
  return ({ input, units }: PricedTask): number =>
    units > 0 ? usd * Math.max(1, Number(input['num_outputs'] ?? 1)) : 0
}

/**
 * An amount for each second of a film, however many units fal counts.
 * @param seconds the length of a film whose job has no duration
 */
export function byLength(usd: number, seconds: number) {
  return ({ input, units }: PricedTask): number =>
    units > 0 ? usd * Math.max(1, Number(input['duration'] ?? seconds)) : 0
}

/**
 * An amount for each second of a film by its resolution, however many units fal counts.
 * @param seconds the length of a film whose job has no duration
 * @param usual the resolution of a film whose job has none
 */
export function byResolution(seconds: number, usual: string, usd: Readonly<Record<string, number>>) {
  return (task: PricedTask): number =>
    byLength(usd[String(task.input['resolution'] ?? usual)] ?? Number.NaN, seconds)(task)
}
