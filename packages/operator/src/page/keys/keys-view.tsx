import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../address.ts'
import type { List, SeenKey } from '../api/wire.ts'
import { usePolled } from '../live/use-polled.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { Lacking } from '../parts/lacking.tsx'
import { Money } from '../parts/money.tsx'
import { Pager } from '../parts/pager.tsx'
import { useSession } from '../session.ts'

/** With which keys jobs were made in the last 30 days. */
export function KeysView({ owner }: { owner: string }) {
  const { overview } = useSession()
  return (
    <section class="stack" aria-labelledby="keys-title">
      <header class="section-head">
        <h1 id="keys-title">
          Keys <span class="faint">seen in the last 30 days</span>
        </h1>
        {owner !== '' && (
          <span>
            Only of <bdi class="strong">{owner}</bdi>. <a href={addressOf('keys')}>Show all</a>
          </span>
        )}
      </header>
      {overview.features.usage ? <Keys owner={owner} /> : <Lacking feature="usage" />}
    </section>
  )
}

function Keys({ owner }: { owner: string }) {
  const { api } = useSession()
  const [cursors, setCursors] = useState<readonly string[]>([])
  useEffect(() => setCursors([]), [owner])
  const cursor = cursors.at(-1)
  const { value, error, reload } = usePolled(
    JSON.stringify([owner, cursor]),
    (signal) => api.get<List<SeenKey>>('/keys', { owner: owner || undefined, limit: '100', cursor }, signal),
    60_000,
  )
  return (
    <div class="panel">
      <FailureNotice error={error} onRetry={reload} />
      {value === undefined && error === undefined && <p class="faint">Looking…</p>}
      {value?.data.length === 0 && <p class="faint">No job has ended in these days.</p>}
      {value && value.data.length > 0 && (
        <div class="table-frame" tabIndex={0} role="region" aria-label="Keys">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Owner</th>
                <th scope="col">Key</th>
                <th scope="col">Last day</th>
                <th scope="col" class="number">
                  Jobs
                </th>
                <th scope="col" class="number">
                  Cost
                </th>
                <th scope="col" class="number">
                  Failed
                </th>
              </tr>
            </thead>
            <tbody>
              {value.data.map((row) => (
                <tr key={`${row.owner}\n${row.key}`}>
                  <th scope="row" class="named">
                    <a href={addressOf('jobs', { state: 'all', owner: row.owner })}>
                      <bdi>{row.owner}</bdi>
                    </a>
                  </th>
                  <td class="named">
                    {row.key === null ? <span class="faint">without an id</span> : <bdi>{row.key}</bdi>}
                  </td>
                  <td class="figures">{row.last_day ?? '–'}</td>
                  <td class="number">{row.jobs}</td>
                  <td class="number">
                    <Money usd={row.cost_usd} />
                  </td>
                  <td class="number">{row.failed}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager label="keys" cursors={cursors} next={value?.next_cursor} onChange={setCursors} />
    </div>
  )
}
