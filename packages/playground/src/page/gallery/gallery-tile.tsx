import type { AnyModels, Client, GenerationProgress, Job } from '@genmount/client'
import { dollars, Icon, timeUntil } from '@genmount/page-kit/page'
import { useRef } from 'preact/hooks'
import { titleOf } from '../jobs/shape-of.ts'
import { filmAddress, thumbnailOf } from '../jobs/output.ts'
import { useOutput } from '../jobs/use-output.ts'
import { failureWords } from '../words/error-words.ts'
import { useSeen } from './use-seen.ts'

interface GalleryTileProps {
  readonly client: Client<AnyModels>
  readonly job: Job
  readonly news: GenerationProgress | undefined
  readonly isShown: boolean
  readonly now: number
  /** @param isBeside whether the jobs that are already on the stage stay there */
  readonly onShow: (isBeside: boolean) => void
}

/** A small view of one job: its output, its cost and how long it is kept. */
export function GalleryTile({ client, job, news, isShown, now, onShow }: GalleryTileProps) {
  const element = useRef<HTMLLIElement>(null)
  const isSeen = useSeen(element)
  const { output } = useOutput(client, job, 0, isSeen && job.status === 'completed', thumbnailOf)
  const isPicture = job.output_kind === 'image' || output?.type.startsWith('image/')
  const title = titleOf(job)
  return (
    <li ref={element} class="tile">
      <button
        type="button"
        class="tile-button"
        aria-pressed={isShown}
        onClick={({ shiftKey, ctrlKey, metaKey }) => onShow(shiftKey || ctrlKey || metaKey)}
      >
        <span class="tile-screen">
          {job.status === 'processing' && (
            <>
              {news?.preview !== undefined && <img class="preview" src={news.preview} alt="" />}
              <span class="spinner" />
            </>
          )}
          {job.status === 'failed' && <Icon name={job.error?.startsWith('canceled') ? 'stop' : 'warning'} />}
          {output && isPicture && <img src={output.src} alt="" />}
          {output && !isPicture && <video src={filmAddress(output)} muted playsInline preload="metadata" />}
        </span>
        {job.output_kind === 'video' && (
          <span class="tile-badge">
            <Icon name="video" />
            <span class="unseen">Film: </span>
          </span>
        )}
        <span class="tile-title">{title}</span>
        <span class="tile-facts">
          <span>{stateWords(job)}</span>
          <span>
            <Icon name="clock" />
            <span class="unseen">kept for </span>
            {timeUntil(job.expires_at, now)}
          </span>
        </span>
      </button>
    </li>
  )
}

function stateWords(job: Job): string {
  if (job.status === 'processing') return 'Running'
  return job.status === 'failed' ? failureWords(job.error).title : dollars(job.cost_usd)
}
