import type { Clock } from '../contracts/clock.ts'
import type { JobNews } from '../contracts/job-news.ts'
import type { JobSignals } from '../contracts/job-signals.ts'
import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { heardAt, isFinished, mayStep } from '../job/job-machine.ts'
import type { WaitingPlaces } from '../sharing/waiting-places.ts'

/**
 * While somebody watches a job, its provider is asked when it has said nothing for this many milliseconds: as often as
 * for a client who reads the job at the pace that `retry-after` names.
 */
const lookMs = 3000

/** Whom a watch tells what becomes of the job. None of the functions may throw. */
export interface JobWatcher {
  /** Called with the job as it is when the watch begins, and after each change. A finished job is the last one. */
  readonly onChange: (job: Job) => void
  /** Called with what the provider tells about the running task. */
  readonly onNews: (news: JobNews) => void
  /**
   * Called once, when nothing more will be told: the job has finished or is gone, the service closes, or another owner
   * needs the place. It is not called when the watcher itself has ended the watch.
   */
  readonly onEnd: () => void
}

/** What {@link watchJob} works with. */
export interface WatchContext {
  readonly signals: JobSignals
  readonly clock: Clock
  readonly places: WaitingPlaces
  readonly read: (id: string, owner: string) => Promise<Job>
  readonly advance: (jobId: string) => Promise<void>
}

/**
 * Watches a job until it has finished. If the provider has said nothing for 3 seconds, the job's next step is taken if it
 * may be taken.
 * @returns a function that ends the watch
 */
export async function watchJob(
  { signals, clock, places, read, advance }: WatchContext,
  id: string,
  owner: string,
  { onChange, onNews, onEnd }: JobWatcher,
): Promise<() => void> {
  let latest: Job | undefined
  let mayHaveChanged = false
  let isReading = false
  let hasEnded = false
  let cancelLook = () => {}
  let unsubscribeNews = () => {}

  const end = () => {
    hasEnded = true
    places.giveBack(leave)
    unsubscribe()
    unsubscribeNews()
    cancelLook()
  }
  const leave = () => {
    if (hasEnded) return
    end()
    onEnd()
  }
  const saw = (job: Job) => {
    if (hasEnded || (latest && job.revision <= latest.revision)) return
    latest = job
    onChange(job)
    if (isFinished(job)) leave()
  }
  const readAgain = async () => {
    mayHaveChanged = true
    if (isReading || !latest) return
    isReading = true
    try {
      while (mayHaveChanged) {
        mayHaveChanged = false
        saw(await read(id, owner))
      }
    } catch (fault) {
      mayHaveChanged = true
      if (fault instanceof GenerationError && fault.code === 'job_not_found') leave()
    }
    isReading = false
  }
  /** How long to leave the provider alone, in milliseconds, because it has said something lately. */
  const restMs = () => {
    const sinceMs = clock.now() - (heardAt(latest!) ?? Number.NEGATIVE_INFINITY)
    // An instant that lies ahead was written before the clock was put back.
    return sinceMs >= 0 && sinceMs < lookMs ? lookMs - sinceMs : 0
  }
  const takeStep = () => {
    if (!hasEnded && restMs() === 0 && mayStep(latest!, clock.now())) void advance(id)
  }
  const lookLater = () => void (cancelLook = clock.after(restMs() || lookMs, look))
  const look = async () => {
    const isResting = restMs() > 0
    lookLater()
    if (isResting) return
    // The job is read first: a step that is asked for too early is taken as soon as it may be, which would be too often.
    await readAgain()
    takeStep()
  }

  // The subscription comes before the first read, so that no change in between is missed.
  const unsubscribe = signals.subscribe(id, (job) => (job && latest ? saw(job) : void readAgain()))
  try {
    const job = await read(id, owner)
    // A finished job needs no place.
    if (!isFinished(job)) {
      if (!places.makeRoom(owner))
        throw new GenerationError('capacity_exceeded', 'Too many requests are waiting for jobs. Try again.')
      places.take(leave, owner)
    }
    saw(job)
  } catch (fault) {
    end()
    throw fault
  }
  if (hasEnded) return () => {}
  unsubscribeNews = signals.news?.subscribe(id, onNews) ?? unsubscribeNews
  if (mayHaveChanged) void readAgain()
  lookLater()
  takeStep()
  return end
}
