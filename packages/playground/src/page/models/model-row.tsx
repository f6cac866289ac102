import type { Model } from '@genmount/client'
import { Icon } from '../parts/icon.tsx'
import { roughTime } from '../words/amounts.ts'

/** One row of the list of models: name, kind of output, price, usual duration and last day. */
export function ModelRow({
  model: { id, output_kind: kind, price, typical_seconds: seconds, ends },
}: {
  model: Model
}) {
  const facts = [
    kind === 'video' ? 'Films' : 'Pictures',
    ...(price ? [priceWords(price)] : []),
    ...(seconds === null ? [] : [`about ${roughTime(seconds)}`]),
    ...(ends ? [`ends on ${ends.on}`] : []),
  ]
  return (
    <span class="model-row">
      <span class="model-kind" data-kind={kind}>
        <Icon name={kind} />
      </span>
      <span class="model-words">
        <span class="model-name cut">{id}</span>
        <span class="faint cut">{facts.join(' · ')}</span>
      </span>
    </span>
  )
}

function priceWords({ text, per, usd }: NonNullable<Model['price']>): string {
  if (usd === 0) return 'free'
  return usd !== null && per !== null ? `$${usd} per ${per}` : text
}
