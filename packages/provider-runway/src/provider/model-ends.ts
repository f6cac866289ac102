import type { ModelEnds } from '@genmount/core'

/** The models that Runway has ended, as its skills and Comfy-Org/docs#1326 say. */
export const modelEnds: ModelEnds = {
  gen3a_turbo: { on: '2026-07-30', replacement: 'gen4.5' },
}
