import { useState } from 'preact/hooks'
import type { UsageRow } from '../api/wire.ts'
import { Money } from '../parts/money.tsx'

interface UsageTableProps {
  readonly title: string
  readonly rows: readonly UsageRow[]
  /** Whether the service has more rows than these. */
  readonly isCut: boolean
  /** What the row is about. `undefined`: nothing has a name there, such as a key without an id. */
  readonly nameOf: (row: UsageRow) => string | undefined
}

/** How many rows are shown before the operator asks for all. */
const few = 8

/** What groups of jobs have cost, the most expensive first, with what is not known and what is reserved beside it. */
export function UsageTable({ title, rows, isCut, nameOf }: UsageTableProps) {
  const [isWhole, setIsWhole] = useState(false)
  const sorted = rows.toSorted((one, other) => other.cost_usd - one.cost_usd || other.jobs - one.jobs)
  const visibleRows = isWhole ? sorted : sorted.slice(0, few)
  const highest = sorted[0]?.cost_usd ?? 0
  return (
    <section class="panel">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="faint">No job has ended.</p>
      ) : (
        <div class="table-frame" tabIndex={0} role="region" aria-label={title}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{title.replace('By ', '').replace(/^./, (first) => first.toUpperCase())}</th>
                <th scope="col" class="number">
                  Jobs
                </th>
                <th scope="col" class="number">
                  Cost
                </th>
                <th scope="col" class="number">
                  Not known
                </th>
                <th scope="col" class="number">
                  Reserved
                </th>
              </tr>
            </thead>
            <tbody>
              {visibleRows.map((row, index) => (
                <tr key={nameOf(row) ?? index}>
                  <th scope="row" class="named">
                    {nameOf(row) === undefined ? (
                      <span class="faint">without an id</span>
                    ) : (
                      <bdi>{nameOf(row)}</bdi>
                    )}
                    <span
                      class="share"
                      style={{ width: `${highest > 0 ? (row.cost_usd / highest) * 100 : 0}%` }}
                    />
                  </th>
                  <td class="number">{row.jobs}</td>
                  <td class="number">
                    <Money usd={row.cost_usd} />
                  </td>
                  <td class="number">{row.unknown_costs > 0 ? row.unknown_costs : '–'}</td>
                  <td class="number">{row.reserved_usd > 0 ? <Money usd={row.reserved_usd} /> : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(sorted.length > few || isCut) && (
        <p class="table-foot">
          {sorted.length > few && (
            <button type="button" class="link" onClick={() => setIsWhole(!isWhole)}>
              {isWhole ? 'Show fewer' : `Show all ${sorted.length}`}
            </button>
          )}
          {isCut && (
            <span class="faint">
              {' '}
              There are more than {rows.length}; scripts read the rest by their cursor.
            </span>
          )}
        </p>
      )}
    </section>
  )
}
