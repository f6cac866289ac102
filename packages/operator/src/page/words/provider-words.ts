import { plural } from '@genmount/page-kit/page'
import type { ProviderState } from '../api/wire.ts'

export type Mood = 'good' | 'warn' | 'bad' | 'calm'

/** How a provider is, and what that means. */
export function providerWords({ breaker, steps_under_way, steps_waiting }: ProviderState): [Mood, string] {
  if (breaker === 'open')
    return [
      'bad',
      'It gets no new jobs from this process: too many calls to it have failed, or the process lacks memory or file descriptors. From time to time one job is tried.',
    ]
  if (steps_waiting > 0)
    return ['warn', `All its places are taken: ${plural(steps_waiting, 'step')} wait for one.`]
  if (steps_under_way > 0) return ['good', 'It answers, and has room for more.']
  return ['calm', 'It has nothing to do in this process.']
}
