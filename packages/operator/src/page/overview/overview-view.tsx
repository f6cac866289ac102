import { useStore } from '@genmount/page-kit/page'
import type { ComponentChildren } from 'preact'
import type { Overview } from '../api/wire.ts'
import { serviceReach } from '../live/service-reach.ts'
import { Mark } from '../parts/mark.tsx'
import { useSession } from '../session.ts'
import { type Mood, providerWords } from '../words/provider-words.ts'
import { clockTime, instantWords, span, steps } from '../words/times.ts'

/** How the service and its providers are. */
export function OverviewView() {
  const { overview } = useSession()
  const { answeredAt } = useStore(serviceReach.store)
  const { store, due, clock, providers } = overview
  const [mood, words] = statusWords(overview)
  return (
    <section class="overview" aria-labelledby="service-title">
      <header class="section-head">
        <h1 id="service-title">
          <Mark mood={mood}>{words}</Mark>
        </h1>
        <span class="faint figures as-of">
          {answeredAt !== undefined && <>As of {clockTime(answeredAt, true)}. </>}
          You are <bdi>{overview.operator}</bdi>.
        </span>
      </header>
      <dl class="gauges">
        <Gauge name="Store" mood={store.is_reachable ? 'calm' : 'bad'}>
          {store.is_reachable ? latency(store.latency_ms) : 'does not answer'}
        </Gauge>
        <Gauge name="Due now" mood={lagMood(due)}>
          {dueWords(due)}
        </Gauge>
        <Gauge name="This process">
          {steps(overview.steps_under_way)} under way
          <span class="faint">
            {overview.waiters === 1 ? '1 client waits' : `${overview.waiters} clients wait`} for a result
          </span>
        </Gauge>
        <Gauge name="Clock" mood={clock.is_believed ? 'calm' : 'bad'}>
          {clock.is_believed ? 'believed' : 'in doubt'}
          {!clock.is_believed && (
            <span class="faint">
              Nothing is deleted until it is believed again
              {clock.believed_at && `, at ${instantWords(clock.believed_at, Date.now())}`}.
            </span>
          )}
        </Gauge>
      </dl>
      <h2 class="unseen">Providers</h2>
      <ul class="providers">
        {providers.map((provider) => {
          const [providerMood, meaning] = providerWords(provider)
          return (
            <li key={provider.name} class="provider">
              <Mark mood={providerMood}>
                <bdi class="strong cut">{provider.name}</bdi>
              </Mark>
              <span class="figures">breaker {provider.breaker.replace('_', ' ')}</span>
              <span class="figures">{steps(provider.steps_under_way)} under way</span>
              <span class="figures">{provider.steps_waiting} waiting</span>
              <span class="faint provider-words">{meaning}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function Gauge({
  name,
  mood = 'calm',
  children,
}: {
  name: string
  mood?: Mood
  children: ComponentChildren
}) {
  return (
    <div class={`gauge gauge-${mood}`}>
      <dt>{name}</dt>
      <dd class="figures">{children}</dd>
    </div>
  )
}

function statusWords({ status, store, clock, providers }: Overview): [Mood, string] {
  if (!store.is_reachable) return ['bad', 'The store does not answer']
  if (status === 'ok') return ['good', 'All is well']
  if (status !== 'degraded')
    return ['bad', status.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase())]
  const open = providers.filter(({ breaker }) => breaker !== 'closed').map(({ name }) => name)
  if (open.length > 0) return ['warn', `Degraded: ${listed(open)} ${open.length === 1 ? 'fails' : 'fail'}`]
  return ['warn', clock.is_believed ? 'Degraded: jobs are late' : 'Degraded: the clock is in doubt']
}

const listed = (names: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(names)
const latency = (ms: number | null) => (ms === null ? 'answers' : `answers in ${span(ms)}`)

function dueWords(due: Overview['due']) {
  if (!due) return 'not known'
  if (due.count === 0) return 'nothing'
  return (
    <>
      {due.count === 1 ? '1 job' : `${due.count} jobs`}
      <span class="faint">the first since {span(due.oldest_lag_ms)}</span>
    </>
  )
}

const lagMood = (due: Overview['due']): Mood => (due && due.oldest_lag_ms > 60_000 ? 'warn' : 'calm')
