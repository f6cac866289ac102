import { type Backend, type Clock, isFinished, type Job, type JobStore } from '@genmount/core'
import type { Capabilities, Script } from './job-life-commands.ts'
import { wrongMoves } from './job-life-rules.ts'
import type { MortalProcess, SharedStore } from './mortal-process.ts'
import { type OpenStore, startWorld } from './simulated-world.ts'

export type LifeState = ReturnType<typeof lifeState>

/** The answer to a submit. */
export interface Answered {
  /** The process that has the answer. */
  readonly process: MortalProcess
  /** The token of the submit, if the answer is that the submit has failed. */
  readonly failed?: string | undefined
}

/**
 * The world of two processes that obey commands, and everything that is known about what they did.
 * @param stepMs the longest step in which time passes, in milliseconds
 */
export function lifeState(
  { sendsCallbacks, knowsEnds, ...offers }: Capabilities,
  openStore: OpenStore,
  stepMs: number,
) {
  const scripts = new Map<string, Script>()
  const finishedTasks: string[] = []
  const ends = new Map<string, Job>()
  const submitTokens = new Map<string, string | undefined>()
  const breaches: string[] = []

  function watched(jobs: JobStore): JobStore {
    return {
      ...jobs,
      insert(job) {
        submitTokens.set(job.id, job.submitToken)
        return jobs.insert(job)
      },
      async replace(next, expectedRevision) {
        const before = await jobs.get(next.id)
        const outcome = await jobs.replace(next, expectedRevision)
        if (outcome === 'stale' || !before) return outcome
        breaches.push(...wrongMoves(before, next))
        submitTokens.set(next.id, next.submitToken)
        if (isFinished(next)) ends.set(next.id, next)
        else ends.delete(next.id)
        return outcome
      },
    }
  }

  function openWatched(): SharedStore {
    const store = openStore()
    const connect = (clock: Clock): Backend => {
      const backend = store.connect(clock)
      return { ...backend, jobs: watched(backend.jobs) }
    }
    return { ...store, connect }
  }

  const world = startWorld(openWatched, {
    vendor: {
      ...offers,
      ...(sendsCallbacks && { sendCallback: (jobId: string) => finishedTasks.push(jobId) }),
      latencyMs: 150,
      behave: ({ input }, attempt) => scripts.get(String(input['prompt']))?.attempts[attempt - 1] ?? {},
    },
    service: { retentionDays: 1, deadlineMs: 300_000 },
    knowsEnds,
    stepMs,
  })
  return {
    world,
    /** What happens to the submits of each job, by its prompt. */
    scripts,
    /** The ids of the jobs whose vendor has finished a task and sends a callback about it. */
    finishedTasks,
    created: [] as Job[],
    /** The finished jobs, as they were stored last. */
    ends,
    /** The ids of jobs about which a genuine callback was accepted. */
    heard: new Set<string>(),
    /** The ids of jobs whose owner was told that they are deleted. */
    deleted: new Set<string>(),
    answered: new Map<string, Answered>(),
    /** The token of the latest submit of each job. */
    submitTokens,
    /** The processes that were killed or closed in trouble. */
    lostHands: new Set<MortalProcess>(),
    breaches,
  }
}
