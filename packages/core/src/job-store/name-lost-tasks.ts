import type { Clock } from '../contracts/clock.ts'
import type { Job, JobInputs } from '../contracts/job.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import type { Log, LogFields } from '../contracts/log.ts'
import { isMalformedJob } from '../errors/generation-error.ts'
import { isFinished } from '../job/job-state.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { onceAMinute } from '../pacing/once-a-minute.ts'
import { lastUsed } from '../lists/last-used.ts'
import { shortText } from '../text/short-text.ts'

/** A fail-over loses the latest commits, so it is enough to remember as many jobs as were submitted last. */
const maxRemembered = 1000

/** The task of a submit that this process has made. */
interface Task {
  /** Names the job and the task. */
  readonly line: string
  readonly fields: LogFields
  /** The revision with which the store has recorded the task. `undefined` until then. */
  revision?: number
  /** Whether the log has the task because a write has failed. */
  isNamed?: boolean
}

/**
 * A store that has not answered a write for this many milliseconds is about to be away, so the task is named before the
 * write fails.
 */
const patienceMs = 500

/**
 * Wraps a job store so that a task that may have been paid for can be found by its name in the log, also after a kill. It is
 * logged if the store does not record the answer to its submit within half a second, at once while the store is away, and if the
 * store has lost its job or the record of its submit. A deleted job is logged too, if another process has finished it.
 * A job that the store refuses as malformed is logged at once, with the handle of its task, and at most once a minute: whoever
 * has an answer that was paid for goes on trying to write it.
 */
export function nameLostTasks(jobs: JobStore, log: Log, clock: Clock): JobStore {
  const tasks = lastUsed<Task>(maxRemembered)
  /**
   * Whether a call of the store has failed since the latest write, or an answer to a submit has waited for too long to be
   * recorded. That a read succeeds does not show that the store takes writes.
   */
  let isAway = false
  const occurrence = onceAMinute(clock)

  /** @param written the job that the call writes. @default the call is a read */
  async function noticed<Outcome>(call: Promise<Outcome>, written?: Job): Promise<Outcome> {
    try {
      const outcome = await call
      if (written) isAway = false
      return outcome
    } catch (fault) {
      if (!isMalformedJob(fault)) isAway = true
      else if (written && occurrence(written.id))
        log.error(`${whose(written)} can't be written as it is: ${shortText(fault.cause)}`, fieldsOf(written))
      throw fault
    }
  }

  function taskOf(job: Job): Task | undefined {
    const remembered = tasks.get(job.id)
    if (remembered || !isAnswerToSubmit(job)) return remembered
    const task: Task = { line: whose(job), fields: fieldsOf(job) }
    tasks.set(job.id, task)
    return task
  }

  async function checked(id: string, task: Task, inputs?: JobInputs): Promise<Job | undefined> {
    const job = await jobs.get(id, undefined, inputs)
    const isOlder = job !== undefined && task.revision !== undefined && job.revision < task.revision
    if (job && !isOlder) {
      if (isFinished(job)) tasks.delete(id)
      return job
    }
    if (!tasks.delete(id)) return job
    const what = isOlder
      ? 'is older in the job store than this process has written it'
      : 'is no longer in the job store, and was not finished by this process'
    log.error(
      `${task.line} ${what}, as after a fail-over that loses commits. Look for the task at the vendor.`,
      task.fields,
    )
    return job
  }

  /** Names the task, unless the store has it or the log names it already. */
  function name(task: Task): void {
    if (task.revision !== undefined || task.isNamed) return
    task.isNamed = true
    log.warn(`${task.line} is at its provider, and the job store has not recorded that yet.`, task.fields)
  }

  async function followed<Outcome>(task: Task, job: Job, write: () => Promise<Outcome>): Promise<Outcome> {
    // Before the write: the process may be killed during it.
    if (isAway) name(task)
    const isUnnamed = task.revision === undefined && !task.isNamed
    const cancel = isUnnamed ? clock.after(patienceMs, giveUpWaiting) : () => {}
    function giveUpWaiting(): void {
      isAway = true
      name(task)
    }
    try {
      const outcome = await noticed(write(), job)
      if (outcome === 'replaced') task.revision ??= job.revision
      if (outcome === 'replaced' && isFinished(job)) tasks.delete(job.id)
      return outcome
    } catch (fault) {
      // The log has another line about a malformed job.
      if (!isMalformedJob(fault)) name(task)
      throw fault
    } finally {
      cancel()
    }
  }

  return {
    ...jobs,
    get(id, owner, inputs) {
      // A client may ask for the job of somebody else, which is not there for this client.
      const task = owner === undefined ? tasks.get(id) : undefined
      return noticed(task ? checked(id, task, inputs) : jobs.get(id, owner, inputs))
    },
    insert: (...created) => noticed(jobs.insert(...created), created[0]),
    replace(...written) {
      const [job] = written
      const task = taskOf(job)
      const write = () => jobs.replace(...written)
      return task ? followed(task, job, write) : noticed(write(), job)
    },
  }
}

/** Whether this state of the job says that the provider has taken on the submit of the latest claim. */
function isAnswerToSubmit({ phase, claim, submitToken }: Job): boolean {
  const isTakenOn = phase === 'running' || phase === 'collecting'
  return isTakenOn && submitToken !== undefined && claim?.token === submitToken
}
