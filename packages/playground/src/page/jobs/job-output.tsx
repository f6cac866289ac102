import type { Job } from '@genmount/client'
import { Icon } from '@genmount/page-kit/page'
import { errorWords } from '../words/error-words.ts'
import { filmAddress, type Output } from './output.ts'
import { titleOf } from './shape-of.ts'
import type { LoadedOutput } from './use-output.ts'

interface JobOutputProps extends LoadedOutput {
  readonly job: Job
  /** The first frame of a film, if the service has it. */
  readonly poster: Output | undefined
  readonly onEnlarge: () => void
}

/** A finished picture or film. Pictures of all kinds, SVG too, are shown in `<img>`, which runs no scripts. */
export function JobOutput({ job, output, poster, error, onEnlarge }: JobOutputProps) {
  if (error !== undefined) {
    const { title, text } = errorWords(error)
    return (
      <div class="media-words" role="alert">
        <Icon name="warning" />
        <strong>{title}</strong>
        <span>{text}</span>
      </div>
    )
  }
  if (!output) return null
  if (job.output_kind === 'video')
    return (
      <video
        class="media"
        src={poster ? output.src : filmAddress(output)}
        poster={poster?.src}
        preload="metadata"
        controls
        loop
        playsInline
        aria-label={titleOf(job)}
      />
    )
  return (
    <button type="button" class="media-button" onClick={onEnlarge}>
      <img class="media" src={output.src} alt={titleOf(job)} />
      <span class="unseen">Show it large</span>
    </button>
  )
}
