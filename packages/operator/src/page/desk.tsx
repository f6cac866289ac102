import { Icon, ThemeButton, useStore } from '@genmount/page-kit/page'
import { useEffect, useRef } from 'preact/hooks'
import { addressOf, useAddress, type View, views } from './address.ts'
import { isRefusal } from './api/api-error.ts'
import type { Api } from './api/api.ts'
import type { Overview } from './api/wire.ts'
import { AuditView } from './audit/audit-view.tsx'
import { JobView } from './job/job-view.tsx'
import { JobsView } from './jobs/jobs-view.tsx'
import { KeysView } from './keys/keys-view.tsx'
import { setServiceClock } from './live/service-clock.ts'
import { serviceReach } from './live/service-reach.ts'
import { usePolled } from './live/use-polled.ts'
import { OverviewView } from './overview/overview-view.tsx'
import { SessionContext } from './session.ts'
import { SpendView } from './spend/spend-view.tsx'
import { WebhooksView } from './webhooks/webhooks-view.tsx'
import { clockTime } from './words/times.ts'

const names: Readonly<Record<View, string>> = {
  jobs: 'Jobs',
  spend: 'Spend',
  keys: 'Keys',
  audit: 'Audit log',
  webhooks: 'Webhooks',
}

interface DeskProps {
  readonly api: Api
  readonly first: Overview
  /** Forgets the key. @param cause why the service does not accept it any more */
  readonly onLeave: (cause?: unknown) => void
}

/** The page for a valid key: what the address says, below how the service is. */
export function Desk({ api, first, onLeave }: DeskProps) {
  const address = useAddress()
  const { value: overview = first, error } = usePolled('overview', async (signal) => {
    const read = await api.get<Overview>('', {}, signal)
    setServiceClock(read.as_of)
    return read
  })
  const { view, job } = address
  const main = useRef<HTMLElement>(null)
  const openView = job === undefined ? view : 'job'
  const before = useRef(openView)

  useEffect(() => {
    if (isRefusal(error)) onLeave(error)
  }, [error])
  // What had the focus is gone when another view is shown.
  useEffect(() => {
    if (before.current !== openView) main.current?.focus({ preventScroll: true })
    before.current = openView
  }, [openView])

  return (
    <SessionContext.Provider value={{ api, overview }}>
      <header class="top desk-top">
        <a class="brand" href="#/">
          <span class="brand-mark">
            <Icon name="sparkle" />
          </span>
          <span class="wide-only">
            genmount <span class="faint">operator</span>
          </span>
        </a>
        <nav class="places" aria-label="Places">
          {views.map((one) => (
            <a key={one} class="place" href={addressOf(one)} aria-current={one === view ? 'page' : undefined}>
              {names[one]}
            </a>
          ))}
        </nav>
        <span class="top-tools">
          <ThemeButton />
          <button type="button" class="button plain" onClick={() => onLeave()}>
            <Icon name="key" /> <span class="wide-only">Forget key</span>
          </button>
        </span>
      </header>
      <ReachNotice />
      <main class="desk" ref={main} tabIndex={-1} aria-label={names[view]}>
        {job !== undefined ? (
          <JobView key={job} id={job} />
        ) : (
          <>
            {view === 'jobs' && <OverviewView />}
            {view === 'jobs' && <JobsView query={address.query} />}
            {view === 'spend' && <SpendView owner={address.query['owner'] ?? ''} />}
            {view === 'keys' && <KeysView owner={address.query['owner'] ?? ''} />}
            {view === 'audit' && <AuditView job={address.query['job'] ?? ''} />}
            {view === 'webhooks' && <WebhooksView />}
          </>
        )}
      </main>
    </SessionContext.Provider>
  )
}

/** Says since when the server does not answer, and how old the figures of the page are. */
function ReachNotice() {
  const { lostAt, answeredAt } = useStore(serviceReach.store)
  const isLost = lostAt !== undefined
  return (
    <p class={isLost ? 'notice bad reach' : 'unseen'} role="status">
      {isLost && `The server does not answer since ${clockTime(lostAt, true)}`}
      {isLost && (answeredAt === undefined ? '.' : `; what you see is from ${clockTime(answeredAt, true)}.`)}
    </p>
  )
}
