import type { Client } from '../client/client.ts'
import type { GenerationProgress } from '../client/client-options.ts'
import { randomKey } from '../client/random-key.ts'
import type { GenmountError } from '../errors/genmount-error.ts'
import type { CreateInput, ModelId } from '../wire/create-input.ts'
import type { Job } from '../wire/job.ts'
import type { GenerationActions, GenerationOptions, GenerationState } from './generation.ts'

/** A generation in progress. */
interface Run {
  controller: AbortController
  /** Resolves with the job as soon as the service has created it, or with `undefined` if the create fails. */
  firstJob?: Promise<Job | undefined>
  /** Creates the job, or finds the one that this run has created before, and shows what becomes of it. */
  readonly follow: () => Promise<Job | undefined>
}

/** What every framework's `useGeneration` shows: the latest generation of one component. Its functions need no `this`. */
export interface GenerationStore<Models extends object> {
  readonly actions: GenerationActions<Models>
  /** The same object until the state changes. */
  readonly state: () => GenerationState
  /**
   * Calls the listener after each change.
   * @returns a function that ends this
   */
  readonly subscribe: (listener: (now: GenerationState, before: GenerationState) => void) => () => void
  /** Stops following the job, which continues: for when the component is gone. */
  readonly stop: () => void
  /** Follows the job again if `stop` has ended that: for when the component was hidden and is back. */
  readonly resume: () => void
}

const idle: GenerationState = { status: 'idle', job: undefined, progress: undefined, error: undefined }

/** Providers seldom report the very end, and a bar of progress must not stop before it. */
const fullProgress = (before: GenerationProgress | undefined): GenerationProgress => ({
  queuePosition: undefined,
  preview: before?.preview,
  progress: 1,
})

/** @param currentClient gives the client that the component has when a generation starts or is canceled */
export function generationStore<Models extends object>(
  currentClient: () => Client<Models>,
): GenerationStore<Models> {
  const listeners = new Set<(now: GenerationState, before: GenerationState) => void>()
  let state = idle
  let latest: Run | undefined

  /** Does nothing once another run, or none, has replaced this one. */
  function show(run: Run | undefined, change: Partial<GenerationState>) {
    if (latest !== run) return
    const before = state
    state = { ...before, ...change }
    for (const listener of listeners) listener(state, before)
  }

  const stop = () => latest?.controller.abort()

  function begin(run: Run | undefined, change: Partial<GenerationState>) {
    stop()
    latest = run
    show(run, { ...idle, ...change })
  }

  async function generate<Id extends ModelId<Models>>(
    input: CreateInput<Models, Id>,
    options: GenerationOptions = {},
  ): Promise<Job | undefined> {
    // With one key, a create that is sent again finds the job of the first.
    const { idempotencyKey = randomKey() } = options
    const run: Run = {
      controller: new AbortController(),
      async follow() {
        const { signal } = run.controller
        let onFirstJob: (job?: Job) => void
        run.firstJob = new Promise((resolve) => void (onFirstJob = resolve))
        try {
          const job = await currentClient().generate(input, {
            ...options,
            idempotencyKey,
            signal,
            onJob(latestJob) {
              onFirstJob!(latestJob)
              show(run, { job: latestJob })
            },
            onProgress: (progress) => show(run, { progress }),
          })
          show(run, { status: 'completed', job, progress: fullProgress(state.progress) })
          return job
        } catch (error) {
          if (!signal.aborted) show(run, { status: 'failed', error: error as Error })
          return undefined
        } finally {
          onFirstJob!()
        }
      },
    }
    begin(run, { status: 'processing' })
    return run.follow()
  }

  function resume() {
    if (!latest?.controller.signal.aborted || state.status !== 'processing') return
    latest.controller = new AbortController()
    void latest.follow()
  }

  async function cancel() {
    const run = latest
    if (!run) return
    try {
      const job = await run.firstJob
      if (job) await currentClient().cancel(job)
    } catch (error) {
      if ((error as GenmountError).code !== 'job_finished') show(run, { error: error as Error })
    }
  }

  return {
    actions: { generate, cancel, reset: () => begin(undefined, idle) },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop,
    resume,
  }
}
