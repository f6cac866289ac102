import { dollars, plural } from '@genmount/page-kit/page'
import type { UsageRow } from '../api/wire.ts'

/** A bar for each day. A day with costs that nobody knows has a mark, so that it does not look like a cheap one. */
export function DayBars({ days, rows }: { days: readonly string[]; rows: readonly UsageRow[] }) {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const highest = Math.max(0, ...rows.map((row) => row.cost_usd))
  return (
    <figure class="panel day-bars">
      <figcaption class="day-head">
        <h2>By day</h2>
        <span class="faint figures">{highest > 0 && `highest ${dollars(highest)}`}</span>
      </figcaption>
      <ol class="bars">
        {days.map((day) => {
          const row = byDay.get(day)
          const unknown = row?.unknown_costs ?? 0
          const words = row
            ? `${day}: ${dollars(row.cost_usd)} for ${plural(row.jobs, 'job')}${unknown > 0 ? `, and the costs of ${unknown} are not known` : ''}`
            : `${day}: nothing`
          const share = highest > 0 && row ? row.cost_usd / highest : 0
          return (
            <li key={day} class={unknown > 0 ? 'day unknown' : 'day'} title={words}>
              <span class="day-bar" style={{ height: `${share === 0 ? 0 : Math.max(3, share * 100)}%` }} />
              <span class="unseen">{words}</span>
            </li>
          )
        })}
      </ol>
      <p class="day-ends faint figures" aria-hidden="true">
        <span>{days[0]}</span>
        <span>today</span>
      </p>
    </figure>
  )
}
