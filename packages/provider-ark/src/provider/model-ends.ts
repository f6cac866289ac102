import type { ModelEnds } from '@genmount/core'

/**
 * The models that ModelArk has ended, as customers report it: github.com/orgs/cometapi-dev/discussions/140 (2026-11-11) and
 * docs.venice.ai/changelog (November 2026).
 */
export const modelEnds: ModelEnds = {
  'seedance-1-5-pro-251215': { on: '2026-11-11', replacement: 'dreamina-seedance-2-0-mini-260615' },
}
