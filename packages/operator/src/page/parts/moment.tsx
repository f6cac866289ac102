import { useServiceNow } from '../live/service-clock.ts'
import { instantWords, relative } from '../words/times.ts'

/** An instant by its distance from now. The title has the whole instant. */
export function Moment({ at }: { at: string }) {
  const now = useServiceNow()
  return (
    <time dateTime={at} title={instantWords(at, now)} class="figures">
      {relative(at, now)}
    </time>
  )
}
