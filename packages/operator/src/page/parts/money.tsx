import { dollars } from '@genmount/page-kit/page'

/** An amount of US dollars. What nobody knows is never shown as 0. */
export function Money({ usd }: { usd: number | null | undefined }) {
  return usd === null || usd === undefined ? (
    <span class="faint">not known</span>
  ) : (
    <span class="figures">{dollars(usd)}</span>
  )
}
