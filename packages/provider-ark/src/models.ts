import type { PricedTask } from '@genmount/core'
import type { ArkModel } from './provider/ark-options.ts'

/** A million tokens cost less if the job has films for reference. */
function perMillion(usd: number, usdWithFilms: number) {
  return ({ input, units }: PricedTask): number =>
    units * (input['reference_videos'] === undefined ? usd : usdWithFilms)
}

const seedance25 = perMillion(10.7, 6.4)

/**
 * Models of ModelArk of November 2026, as data for the option `models` of `arkProvider`, by the ids that clients send. Prices of
 * https://docs.byteplus.com/en/docs/ModelArk/1544106, that of Seedance 2.5 as dev.to/develmilk quotes it. For its films of 1080p,
 * which cost more, no copy has a price in dollars, and none for Seedance 2: the cost of those jobs is not known.
 * @example arkProvider({ token: process.env.ARK_API_KEY!, models: arkModels })
 */
export const arkModels = {
  'seedance-2.5': {
    model: 'dreamina-seedance-2-5-260628',
    outputKind: 'video',
    price: (task: PricedTask) => (task.input['resolution'] === '1080p' ? Number.NaN : seedance25(task)),
  },
  'seedance-2': { model: 'dreamina-seedance-2-0-260128', outputKind: 'video' },
  'seedance-2-mini': {
    model: 'dreamina-seedance-2-0-mini-260615',
    outputKind: 'video',
    price: perMillion(3.5, 2.1),
  },
  'seedream-4.5': { model: 'seedream-4-5-251128', outputKind: 'image', price: 0.04 },
} satisfies Readonly<Record<string, ArkModel>>
