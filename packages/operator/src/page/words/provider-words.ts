import { plural } from '@genmount/page-kit/page'
import type { ProviderState } from '../api/wire.ts'

export type Mood = 'good' | 'warn' | 'bad' | 'calm'

/** How a provider is, and what that means. */
export function providerWords({ breaker, steps_under_way, steps_waiting }: ProviderState): [Mood, string] {
  if (breaker === 'open')
    return [
      'bad',
      'It has failed too often: it gets no new jobs from this process until a try succeeds. Tasks it has are polled.',
    ]
  if (breaker === 'half-open' || breaker === 'half_open')
    return ['warn', 'It had failed too often: one job tries whether it answers again.']
  if (steps_waiting > 0)
    return ['warn', `All its places are taken: ${plural(steps_waiting, 'step')} wait for one.`]
  if (steps_under_way > 0) return ['good', 'It answers, and has room for more.']
  return ['calm', 'It has nothing to do in this process.']
}
