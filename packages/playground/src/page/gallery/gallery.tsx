import type { AnyModels, Client, OutputKind } from '@genmount/client'
import { ownValue, useNow, useStore } from '@genmount/page-kit/page'
import { useState } from 'preact/hooks'
import type { JobBoard } from '../jobs/job-board.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { GalleryTile } from './gallery-tile.tsx'

const filters: readonly (readonly [string, OutputKind | undefined])[] = [
  ['All', undefined],
  ['Pictures', 'image'],
  ['Films', 'video'],
]

interface GalleryProps {
  readonly client: Client<AnyModels>
  readonly board: JobBoard
  /** Whether other visitors make jobs with the same key. */
  readonly isShared: boolean
  /** Called when a job is put on the stage. */
  readonly onShown: () => void
}

/** The jobs of the key's owner, the newest first. */
export function Gallery({ client, board, isShared, onShown }: GalleryProps) {
  const { jobs, news, stage, isRead, nextCursor, error } = useStore(board)
  const [kind, setKind] = useState<OutputKind>()
  const now = useNow(30_000)
  const jobsOfKind = jobs.filter((job) => kind === undefined || job.output_kind === kind)

  return (
    <section class="gallery" aria-labelledby="gallery-title">
      <header class="gallery-head">
        <h2 id="gallery-title">Recent jobs</h2>
        <div class="segments" role="radiogroup" aria-label="Kind">
          {filters.map(([name, value]) => (
            <label key={name} class="segment">
              <input
                type="radio"
                name="gallery-kind"
                checked={kind === value}
                onChange={() => setKind(value)}
              />
              <span>{name}</span>
            </label>
          ))}
        </div>
      </header>
      {isShared && (
        <p class="faint">
          The demo key is shared: everyone who opens this page without a key of their own sees these jobs.
        </p>
      )}
      <FailureNotice error={error} onRetry={board.read} />
      {isRead && error === undefined && jobsOfKind.length === 0 && (
        <p class="faint gallery-empty">
          {kind === undefined
            ? 'Nothing has been made with this key yet.'
            : 'There is nothing of this kind yet.'}
        </p>
      )}
      <ul class="tiles">
        {jobsOfKind.map((job) => (
          <GalleryTile
            key={job.id}
            client={client}
            job={job}
            news={ownValue(news, job.id)}
            now={now}
            isShown={stage.includes(job.id)}
            onShow={(isBeside) => {
              board.show(job, isBeside)
              onShown()
            }}
          />
        ))}
      </ul>
      {nextCursor !== null && (
        <button type="button" class="button" onClick={() => board.readMore()}>
          Show older jobs
        </button>
      )}
    </section>
  )
}
