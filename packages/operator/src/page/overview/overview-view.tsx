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
        <Gauge name="Clock">
          {clock.is_believed ? 'believed' : 'not believed yet'}
          {!clock.is_believed && (
            <span class="faint">
              What has expired is kept until it is
              {clock.believed_at && `, at ${instantWords(clock.believed_at, Date.parse(overview.as_of))}`}.
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

/** How the service is. `degraded`: it serves requests, but a provider gets no new jobs. */
function statusWords({ status, providers }: Overview): [Mood, string] {
  if (status === 'ok') return ['good', 'All is well']
  if (status === 'unavailable') return ['bad', 'The job store does not answer']
  if (status === 'closing') return ['warn', 'This process is closing']
  const open = providers.filter(({ breaker }) => breaker !== 'closed').map(({ name }) => name)
  const names = new Intl.ListFormat('en', { type: 'conjunction' }).format(open)
  return ['warn', open.length === 0 ? 'Degraded' : `Degraded: no new jobs for ${names}`]
}

const latency = (ms: number | null) => (ms === null ? 'answers' : `answers in ${span(ms)}`)

function dueWords(due: Overview['due']) {
  if (!due) return 'not known'
  if (due.count === 0) return 'nothing'
  return (
    <>
      {due.count === 1 ? '1 job' : due.count >= 100 ? '100 jobs or more' : `${due.count} jobs`}
      <span class="faint">the first since {span(due.oldest_lag_ms)}</span>
    </>
  )
}

const lagMood = (due: Overview['due']): Mood => (due && due.oldest_lag_ms > 60_000 ? 'warn' : 'calm')
