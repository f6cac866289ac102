import type { Model } from '@genmount/client'
import { Icon, roughTime } from '@genmount/page-kit/page'
import { fieldsOf } from '../form/fields-of.ts'

/** One row of the list of models: name, what it makes of what, price, usual duration, last day, and what it does. */
export function ModelRow({ model }: { model: Model }) {
  const { id, output_kind: kind, description, price, typical_seconds: seconds, ends } = model
  const facts = [
    `${kind === 'video' ? 'Films' : 'Pictures'}${sourceWords(model)}`,
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
        <span class="faint">{facts.join(' · ')}</span>
        {description !== undefined && <span class="faint">{description}</span>}
      </span>
    </span>
  )
}

function priceWords({ text, per, usd }: NonNullable<Model['price']>): string {
  if (usd === 0) return 'free'
  return usd !== null && per !== null ? `$${usd} per ${per}` : text
}

const sources = { image: 'pictures', video: 'films', audio: 'sound' } as const

/** What a model makes its output of, such as ` from text and pictures`. */
function sourceWords(model: Model): string {
  const words = new Set(
    fieldsOf(model).flatMap(({ name, kind, media }) =>
      name === 'prompt' ? 'text' : kind === 'files' && name !== 'mask' ? sources[media] : [],
    ),
  )
  return words.size === 0 ? '' : ` from ${[...words].join(' and ')}`
}
