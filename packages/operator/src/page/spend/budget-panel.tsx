import { useState } from 'preact/hooks'
import { addressOf } from '../address.ts'
import type { Budgets, Grant, List, SpentAmounts } from '../api/wire.ts'
import { type Polling, usePolled } from '../live/use-polled.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Lacking } from '../parts/lacking.tsx'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { OwnerForm } from '../parts/owner-form.tsx'
import { Pager } from '../parts/pager.tsx'
import { useSession } from '../session.ts'
import { GrantDialog } from './grant-dialog.tsx'

/** Reads of budgets add up the ledger of the owner. */
const everyMs = 15_000

/** What one owner has spent, what limits that, what was granted, and a form to grant more. */
export function BudgetPanel({ owner }: { owner: string }) {
  return (
    <section class="panel" aria-labelledby="budget-title">
      <h2 id="budget-title">
        Budget and grants{' '}
        {owner !== '' && (
          <span class="faint">
            of <bdi>{owner}</bdi>
          </span>
        )}
      </h2>
      {owner === '' ? <ChooseOwner /> : <OwnersBudget owner={owner} />}
    </section>
  )
}

function OwnersBudget({ owner }: { owner: string }) {
  const { api } = useSession()
  const budget = usePolled(owner, (signal) => api.get<Budgets>('/budgets', { owner }, signal), everyMs)
  return (
    <>
      <Budget budget={budget} />
      <Grants owner={owner} hasBalance={budget.value?.limits?.has_balance} onGrant={budget.reload} />
    </>
  )
}

function ChooseOwner() {
  return (
    <OwnerForm
      label="Whose budget and grants to show"
      placeholder="Owner"
      button="Show the budget"
      onOwner={(owner) => {
        if (owner !== '') location.hash = addressOf('spend', { owner })
      }}
    />
  )
}

function Budget({ budget: { value, error, reload } }: { budget: Polling<Budgets> }) {
  if (!value) return <FailureNotice error={error} onRetry={reload} />
  const { last_24_hours, month, limits, reserved_usd, granted_usd, balance_usd } = value
  return (
    <>
      <FailureNotice error={error} onRetry={reload} />
      <dl class="gauges">
        <Period
          name="Last 24 hours"
          amounts={last_24_hours}
          limit={limits?.usd_per_day}
          isKnown={limits !== null}
        />
        <Period
          name="This month (UTC)"
          amounts={month}
          limit={limits?.usd_per_month}
          isKnown={limits !== null}
        />
        <div class="gauge">
          <dt>Reserved for running jobs</dt>
          <dd>
            <Money usd={reserved_usd} />
            {limits?.running_jobs != null && (
              <span class="faint">at most {limits.running_jobs} at a time</span>
            )}
          </dd>
        </div>
        <div class="gauge">
          <dt>Granted in all</dt>
          <dd>
            <Money usd={granted_usd} />
            {limits?.has_balance && (
              <span class="faint">
                <Money usd={balance_usd} /> left
              </span>
            )}
          </dd>
        </div>
      </dl>
    </>
  )
}

interface PeriodProps {
  readonly name: string
  readonly amounts: SpentAmounts
  readonly limit: number | null | undefined
  /** Whether the service says which limits the owner has. */
  readonly isKnown: boolean
}

function Period({ name, amounts: { spent_usd, reserved_usd }, limit, isKnown }: PeriodProps) {
  return (
    <div class="gauge">
      <dt>{name}</dt>
      <dd>
        <Money usd={spent_usd} /> spent
        {reserved_usd > 0 && (
          <span class="faint">
            and <Money usd={reserved_usd} /> kept for costs that nobody knows
          </span>
        )}
        <span class="faint">
          {typeof limit === 'number' ? (
            <>
              of <Money usd={limit} /> allowed
            </>
          ) : isKnown ? (
            'without a limit'
          ) : (
            'The limit is not known here.'
          )}
        </span>
      </dd>
    </div>
  )
}

interface GrantsProps {
  readonly owner: string
  /** Whether the owner's jobs must fit into what was granted. `undefined` while that is not known. */
  readonly hasBalance: boolean | undefined
  readonly onGrant: () => void
}

function Grants({ owner, hasBalance, onGrant }: GrantsProps) {
  const { api, overview } = useSession()
  const { grants: hasGrants, audit } = overview.features
  const [isGranting, setIsGranting] = useState(false)
  const [cursors, setCursors] = useState<readonly string[]>([])
  const cursor = cursors.at(-1)
  const { value, error, reload } = usePolled(
    JSON.stringify([owner, cursor]),
    async (signal) => (hasGrants ? api.get<List<Grant>>('/grants', { owner, cursor }, signal) : undefined),
    everyMs,
  )
  function onDone() {
    reload()
    onGrant()
  }
  if (!hasGrants) return <Lacking feature="grants" />
  return (
    <>
      <FailureNotice error={error} onRetry={reload} />
      {value && value.data.length > 0 && (
        <ul class="entries">
          {value.data.map((grant) => (
            <li key={grant.id} class="entry">
              <span>
                <span class="strong">
                  <Money usd={grant.usd} />
                </span>{' '}
                {grant.by && (
                  <>
                    by <bdi>{grant.by}</bdi>{' '}
                  </>
                )}
                <span class="faint">
                  <Moment at={grant.granted_at} />
                </span>
              </span>
              {grant.why && (
                <p class="clamp">
                  “<bdi>{grant.why}</bdi>”
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {value?.data.length === 0 && <p class="faint">Nothing was granted.</p>}
      <Pager label="grants" cursors={cursors} next={value?.next_cursor} onChange={setCursors} />
      {!audit && <Lacking feature="audit" />}
      {audit && (
        <div>
          <button type="button" class="button" onClick={() => setIsGranting(true)}>
            Grant more
          </button>
        </div>
      )}
      {isGranting && (
        <GrantDialog
          owner={owner}
          hasBalance={hasBalance}
          onDone={onDone}
          onClose={() => setIsGranting(false)}
        />
      )}
    </>
  )
}
