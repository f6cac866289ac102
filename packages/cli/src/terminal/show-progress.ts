import type { GenerationProgress, Job } from '@genmount/client'
import { styleText } from 'node:util'
import { plainText } from './plain-text.ts'
import type { Printer } from './printer.ts'

/** The progress of a job on the screen. */
export interface ShownProgress {
  onJob(job: Job): void
  onProgress(progress: GenerationProgress): void
  /** Removes the bar. */
  end(): void
}

const drawEveryMs = 100
/** The assumed duration of a job if the service does not know one, in milliseconds. */
const usualMs = 5000

/**
 * Shows progress. A terminal gets a bar; a pipe gets one line for each change. The bar shows the progress that the
 * provider reports. If the provider reports none, the bar follows the usual duration of the model and never reaches the
 * end.
 * @param typicalSeconds how long a job of the model usually takes, in seconds
 */
export function showProgress(stderr: Printer, name: string, typicalSeconds: number | null): ShownProgress {
  const { isTerminal, stream } = stderr
  const startedAt = performance.now()
  const typicalMs = typicalSeconds === null ? usualMs : typicalSeconds * 1000
  let id = ''
  let latest: Partial<GenerationProgress> = {}
  let lastLine = ''
  let isOver = false
  const elapsedMs = () => performance.now() - startedAt

  function draw(): void {
    const { progress, queuePosition } = latest
    const share =
      progress === undefined
        ? Math.min(0.96, 1 - Math.exp(-elapsedMs() / typicalMs))
        : Math.min(1, Math.max(0, progress))
    const waiting = queuePosition ? `, ${queuePosition} before it` : ''
    const percent = progress === undefined ? '' : ` ${Math.floor(progress * 100)} %`
    const tail = plainText(`${percent} ${(elapsedMs() / 1000).toFixed(1)} s${waiting}`)
    const label = plainText(name).slice(0, Math.max(0, Math.min(30, stderr.columns - tail.length - 2)))
    const width = Math.min(30, stderr.columns - label.length - tail.length - 4)
    const done = Math.floor(Math.max(0, width) * share)
    const bar =
      width < 5 ? '' : `${styleText('cyan', '█'.repeat(done), { stream })}${'░'.repeat(width - done)}`
    stream.write(`\r\x1b[K${label} ${bar}${tail}`)
  }

  function tell(text: string): void {
    if (text !== lastLine && !isTerminal) stderr.line(`${id} ${text}`)
    lastLine = text
  }

  const timer = isTerminal ? setInterval(draw, drawEveryMs) : undefined
  if (isTerminal) draw()
  return {
    onJob(job) {
      id = job.id
      tell(job.status)
    },
    onProgress(progress) {
      latest = progress
      if (progress.progress !== undefined) tell(`${Math.floor(progress.progress * 4) * 25} %`)
    },
    end() {
      if (isOver) return
      isOver = true
      clearInterval(timer)
      if (isTerminal) stream.write('\r\x1b[K')
    },
  }
}
