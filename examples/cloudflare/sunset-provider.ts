import type { Provider } from '@genmount/core'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { encodePng } from './encode-png.ts'

const size = 512
// With its JSON Schema, by which the page makes its form.
const input = toStandardJsonSchema(
  v.strictObject({ prompt: v.pipe(v.string(), v.minLength(1), v.maxLength(4000)) }),
)

/**
 * Draws a sunset over hills, whose colours follow from the prompt. It stands in for a vendor: the task is taken on at once, and its
 * picture is there when the job is polled.
 */
export const sunsetProvider = (): Provider => ({
  name: 'sunset',
  models: [{ id: 'sunset-image', outputKind: 'image', input, typicalMs: 1000 }],
  submit: async () => ({ state: 'running', handle: 'sunset', pollAfterMs: 1000 }),
  poll: async ({ input }) => ({
    state: 'succeeded',
    outputs: [{ bytes: await sunset(String(input['prompt'])), contentType: 'image/png' }],
    costUsd: 0,
  }),
})

async function sunset(prompt: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(prompt)
  const seeds = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const [top = 0, warmth = 0, sun = 0, height = 0, ...phases] = seeds.map((seed) => seed / 255)
  return encodePng(size, size, (x, y) => {
    const across = x / size
    const down = y / size
    const hill = [0.62, 0.76, 0.88].findLastIndex(
      (base, n) => down > base + 0.06 * Math.sin(across * (4 + 3 * n) + 6 * (phases[n] ?? 0)),
    )
    if (hill >= 0) return [40 - 12 * hill, 46 - 12 * hill, 70 - 16 * hill]
    const toSun = Math.hypot(across - 0.2 - 0.6 * sun, down - 0.3 - 0.25 * height)
    if (toSun < 0.08) return [255, 236, 190]
    const glow = Math.max(0, 1 - 2 * toSun)
    return [
      90 + 150 * down + 60 * glow,
      60 + 60 * warmth + 90 * down + 50 * glow,
      90 + 110 * top * (1 - down),
    ]
  })
}
