import { useState } from 'preact/hooks'
import { addressOf } from '../address.ts'
import type { BudgetPeriod, Budgets, Grant, List } from '../api/wire.ts'
import { usePolled } from '../live/use-polled.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Lacking } from '../parts/lacking.tsx'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { useSession } from '../session.ts'
import { GrantDialog } from './grant-dialog.tsx'

/** What one owner has spent of the budgets, what was granted, and a form to grant more. */
export function BudgetPanel({ owner }: { owner: string }) {
  const { overview } = useSession()
  const { grants, audit } = overview.features
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
      {!grants && <Lacking feature="grants" />}
      {grants && !audit && <Lacking feature="audit" />}
      {grants && owner === '' && <ChooseOwner />}
      {grants && owner !== '' && <Budget owner={owner} canGrant={audit} />}
    </section>
  )
}

function ChooseOwner() {
  const [text, setText] = useState('')
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') location.hash = addressOf('spend', { owner: text.trim() })
      }}
    >
      <input
        class="input"
        aria-label="Whose budget and grants to show"
        placeholder="Owner"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="button">
        Show the budget
      </button>
    </form>
  )
}

function Budget({ owner, canGrant }: { owner: string; canGrant: boolean }) {
  const { api } = useSession()
  const [isGranting, setIsGranting] = useState(false)
  const { value, error, reload } = usePolled(owner, async (signal) => {
    const [budgets, grants] = await Promise.all([
      api.get<Budgets>('/budgets', { owner }, signal),
      api.get<List<Grant>>('/grants', { owner }, signal),
    ])
    return { budgets, grants }
  })
  return (
    <>
      <FailureNotice error={error} onRetry={reload} />
      {value && (
        <dl class="gauges">
          <Period name="Today (UTC)" period={value.budgets.day} />
          <Period name="This month (UTC)" period={value.budgets.month} />
        </dl>
      )}
      {value && value.grants.data.length > 0 && (
        <ul class="entries">
          {value.grants.data.map((grant) => (
            <li key={grant.id} class="entry grant">
              <span class="strong">
                <Money usd={grant.usd} />
              </span>{' '}
              granted <Moment at={grant.at} /> <bdi class="faint code-text">{grant.id}</bdi>
            </li>
          ))}
        </ul>
      )}
      {value?.grants.data.length === 0 && <p class="faint">Nothing was granted beyond the budget.</p>}
      <div>
        <button type="button" class="button" disabled={!canGrant} onClick={() => setIsGranting(true)}>
          Grant more
        </button>
      </div>
      {isGranting && <GrantDialog owner={owner} onDone={reload} onClose={() => setIsGranting(false)} />}
    </>
  )
}

function Period({ name, period }: { name: string; period: BudgetPeriod }) {
  const { spent_usd, reserved_usd, granted_usd, limit_usd } = period
  return (
    <div class="gauge">
      <dt>{name}</dt>
      <dd>
        <Money usd={spent_usd} /> spent
        <span class="faint">
          <Money usd={reserved_usd} /> reserved, <Money usd={granted_usd} /> granted
        </span>
        <span class="faint">
          {limit_usd === null ? (
            'The limit is not known here.'
          ) : (
            <>
              of <Money usd={limit_usd} /> allowed
            </>
          )}
        </span>
      </dd>
    </div>
  )
}
