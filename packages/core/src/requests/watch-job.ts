import type { ServiceParts } from '../contracts/service-parts.ts'
import type { JobNews } from '../contracts/provider-report.ts'
import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { heardAt, isFinished, mayStep } from '../job/job-state.ts'
import type { TaskFollower } from '../steps/task-follower.ts'
import type { WaitingPlaces } from '../sharing/waiting-room.ts'

/**
 * While a job is watched, the service polls its provider when the last report is this many milliseconds old: as often
 * as for a client that reads the job at the pace of `retry-after`.
 */
const lookMs = 3000

/** Receives the events of a watched job. None of the methods may throw. */
export interface JobWatcher {
  /** Called with the job's state when the watch begins, and after each change. The finished job comes last. */
  onChange(job: Job): void
  /** Called with the provider's progress reports on the running task. */
  onNews(news: JobNews): void
  /**
   * Called at least every 3 seconds during the watch, even without news, so that a watcher needs no timer of its own.
   * @default it is not called
   */
  onLook?(): void
  /**
   * Called once, when no further calls follow: the job has finished or is gone, the watch was ended, the service
   * closes, or another owner needs the place.
   */
  onEnd(): void
}

/** What {@link watchJob} works with. */
export interface WatchContext extends Pick<ServiceParts, 'clock' | 'signals'> {
  readonly places: WaitingPlaces
  readonly read: (id: string, owner: string) => Promise<Job>
  readonly advance: (jobId: string) => Promise<void>
  readonly follow: TaskFollower
}

/**
 * Watches a job until it has finished. If the provider's last report is 3 seconds old, the job's next step is taken if
 * a step is allowed. While the job's task runs, the provider's `follow`, if it has one, reports its progress.
 * @returns a function that ends the watch
 */
export async function watchJob(
  context: WatchContext,
  id: string,
  owner: string,
  watcher: JobWatcher,
): Promise<() => void> {
  const watch = new Watch(context, id, owner, watcher)
  await watch.begin()
  return watch.end
}

/** One watch. A class, because there may be thousands: closures would take three times as much memory. */
class Watch {
  /** Ends the watch. This is the only function of the class that other code keeps. */
  readonly end = () => {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#context.places.giveBack(this.end)
    this.#unsubscribe?.()
    this.#unsubscribeNews?.()
    this.#cancelLook?.()
    this.#stopFollowing()
    this.#watcher.onEnd()
  }
  readonly #look = () => void this.#lookNow()
  #context: WatchContext
  #id: string
  #owner: string
  #watcher: JobWatcher
  #latest: Job | undefined
  #mayHaveChanged = false
  #isReading = false
  #hasEnded = false
  #unsubscribe: (() => void) | undefined
  #unsubscribeNews: (() => void) | undefined
  #cancelLook: (() => void) | undefined
  #unfollow: (() => void) | undefined

  constructor(context: WatchContext, id: string, owner: string, watcher: JobWatcher) {
    this.#context = context
    this.#id = id
    this.#owner = owner
    this.#watcher = watcher
  }

  async begin(): Promise<void> {
    const { signals, read, places } = this.#context
    const wake = (job?: Job) => void (job && this.#latest ? this.#saw(job) : this.#readAgain())
    // The subscription comes before the first read, so that no change in between is missed.
    this.#unsubscribe = signals.subscribe(this.#id, wake)
    try {
      const job = await read(this.#id, this.#owner)
      // A finished job needs no place.
      if (!isFinished(job)) {
        if (!places.makeRoom(this.#owner))
          throw new GenerationError('capacity_exceeded', 'Too many requests are waiting for jobs. Try again.')
        places.take(this.end, this.#owner)
      }
      this.#saw(job)
    } catch (fault) {
      this.end()
      throw fault
    }
    if (this.#hasEnded) return
    this.#unsubscribeNews = signals.news?.subscribe(this.#id, (news) => this.#watcher.onNews(news))
    if (this.#mayHaveChanged) void this.#readAgain()
    this.#lookLater()
    this.#takeStep()
  }

  #saw(job: Job): void {
    if (this.#hasEnded || (this.#latest && job.revision <= this.#latest.revision)) return
    this.#latest = job
    this.#watcher.onChange(job)
    if (isFinished(job)) return this.end()
    if (this.#hasEnded) return
    if (job.phase === 'running') this.#unfollow ??= this.#context.follow(job)
    else this.#stopFollowing()
  }

  #stopFollowing(): void {
    this.#unfollow?.()
    this.#unfollow = undefined
  }

  async #readAgain(): Promise<void> {
    this.#mayHaveChanged = true
    if (this.#isReading || !this.#latest) return
    this.#isReading = true
    try {
      while (this.#mayHaveChanged) {
        this.#mayHaveChanged = false
        this.#saw(await this.#context.read(this.#id, this.#owner))
      }
    } catch (fault) {
      this.#mayHaveChanged = true
      if (fault instanceof GenerationError && fault.code === 'job_not_found') this.end()
    }
    this.#isReading = false
  }

  async #lookNow(): Promise<void> {
    const isResting = this.#restMs() > 0
    this.#lookLater()
    this.#watcher.onLook?.()
    if (isResting) return
    // The job is read before a step is requested. A step that is requested too early is taken as soon as it is allowed,
    // which would be too often.
    await this.#readAgain()
    if (!this.#hasEnded) this.#takeStep()
  }

  #lookLater(): void {
    this.#cancelLook = this.#context.clock.after(this.#restMs() || lookMs, this.#look)
  }

  #takeStep(): void {
    const { clock, advance } = this.#context
    if (this.#restMs() === 0 && mayStep(this.#latest!, clock.now())) void advance(this.#id)
  }

  /** How long to leave the provider alone, in milliseconds, because its last report is recent. */
  #restMs(): number {
    const sinceMs = this.#context.clock.now() - (heardAt(this.#latest!) ?? Number.NEGATIVE_INFINITY)
    // An instant that lies ahead was written before the clock was put back.
    return sinceMs >= 0 && sinceMs < lookMs ? lookMs - sinceMs : 0
  }
}
