import { plural } from '@genmount/page-kit/page'
import type { ComponentChildren } from 'preact'
import { addressOf } from '../address.ts'
import type { Usage } from '../api/wire.ts'
import { usePolled } from '../live/use-polled.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Lacking } from '../parts/lacking.tsx'
import { Money } from '../parts/money.tsx'
import { OwnerForm } from '../parts/owner-form.tsx'
import { useSession } from '../session.ts'
import { dayOf, lastDays } from '../words/days.ts'
import { BudgetPanel } from './budget-panel.tsx'
import { DayBars } from './day-bars.tsx'
import { UsageTable } from './usage-table.tsx'

/** How many days are added up. */
const days = 30
/** Sums change slowly, and cost the store more than other reads. */
const everyMs = 60_000
/** The most rows of a table. The service gives no more at a time. */
const most = '1000'

/** What jobs have cost in the last 30 days: by day, owner, model and key; and the budget of one owner. */
export function SpendView({ owner }: { owner: string }) {
  const { overview } = useSession()
  return (
    <section class="stack" aria-labelledby="spend-title">
      <header class="section-head">
        <h1 id="spend-title">
          Spend <span class="faint">of the last {days} days (UTC)</span>
        </h1>
        <OwnerForm
          label="Only this owner"
          owner={owner}
          button="Show"
          onOwner={(next) => void (location.hash = addressOf('spend', { owner: next }))}
        />
      </header>
      {overview.features.usage ? <Sums owner={owner} /> : <Lacking feature="usage" />}
      <BudgetPanel key={owner} owner={owner} />
    </section>
  )
}

function Sums({ owner }: { owner: string }) {
  const { api, overview } = useSession()
  const now = Date.parse(overview.as_of)
  const list = lastDays(days, now)
  const [first = '', today] = [list[0], dayOf(now)]
  const { value, error, reload } = usePolled(
    JSON.stringify([owner, today]),
    async (signal) => {
      const read = (group_by: string) =>
        api.get<Usage>('/usage', { from: first, group_by, limit: most, owner: owner || undefined }, signal)
      const [byDay, byOwner, byModel, byKey] = await Promise.all(['day', 'owner', 'model', 'key'].map(read))
      return { byDay: byDay!, byOwner: byOwner!, byModel: byModel!, byKey: byKey! }
    },
    everyMs,
  )
  if (!value)
    return error === undefined ? (
      <p class="blank faint">Looking…</p>
    ) : (
      <FailureNotice error={error} onRetry={reload} />
    )
  const { byDay, byOwner, byModel, byKey } = value
  return (
    <>
      <FailureNotice error={error} onRetry={reload} />
      <dl class="gauges">
        <Total name="Spent">
          <Money usd={byDay.cost_usd} />
        </Total>
        <Total name={owner === '' ? 'Kept for costs that nobody knows' : 'Reserved now'}>
          <Money usd={byDay.reserved_usd} />
        </Total>
        <Total name="Costs that nobody knows">
          {byDay.unknown_costs === 0 ? 'none' : `of ${plural(byDay.unknown_costs, 'job')}`}
        </Total>
        <Total name="Jobs that ended">
          {byDay.jobs} <span class="faint">{byDay.failed} of them failed</span>
        </Total>
      </dl>
      <DayBars days={list} rows={byDay.data} />
      <div class="panels">
        <UsageTable
          title="By owner"
          rows={byOwner.data}
          isCut={byOwner.has_more}
          nameOf={(row) => row.owner}
        />
        <UsageTable
          title="By model"
          rows={byModel.data}
          isCut={byModel.has_more}
          nameOf={(row) => row.model}
        />
        <UsageTable
          title="By key"
          rows={byKey.data}
          isCut={byKey.has_more}
          nameOf={(row) => row.key ?? undefined}
        />
      </div>
    </>
  )
}

function Total({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="gauge">
      <dt>{name}</dt>
      <dd class="figures">{children}</dd>
    </div>
  )
}
