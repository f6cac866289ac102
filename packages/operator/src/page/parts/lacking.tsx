import type { Feature } from '../api/wire.ts'
import { featureWords } from '../words/feature-words.ts'

/** Stands in the place of what the service lacks, and says what would bring it. */
export function Lacking({ feature }: { feature: Feature }) {
  const { lacks, brings } = featureWords[feature]
  return (
    <div class="blank">
      <p>
        <strong>{lacks}</strong>
      </p>
      <p class="faint">{brings}</p>
    </div>
  )
}
