import { Icon } from '@genmount/page-kit/page'
import { failureWords } from '../words/error-words.ts'

/** Why a job has failed, in words. */
export function JobFailure({ error }: { error: string | null }) {
  const { title, text } = failureWords(error)
  const isCanceled = error?.startsWith('canceled:') ?? false
  return (
    <div class={isCanceled ? 'media-words' : 'media-words bad'}>
      <Icon name={isCanceled ? 'stop' : 'warning'} />
      <strong>{title}</strong>
      <span>{text}</span>
    </div>
  )
}
