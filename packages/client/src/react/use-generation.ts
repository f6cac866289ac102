import { useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../client/client.ts'
import type { CreateOptions, GenerationProgress } from '../client/client-options.ts'
import type { GenmountError } from '../errors/genmount-error.ts'
import type { CreateInput, ModelId } from '../wire/create-input.ts'
import type { Job } from '../wire/job.ts'

/** The state of a component's latest generation. */
export interface GenerationState {
  /** `idle` before the first generation and after a reset, then `processing`, then the result of the generation. */
  readonly status: 'idle' | 'processing' | 'completed' | 'failed'
  /** The last known state of the job. `undefined` until the service has created it. */
  readonly job: Job | undefined
  /** How far the job is, as reported by its provider, and 1 when the job has completed. */
  readonly progress: GenerationProgress | undefined
  /** Why the generation has failed, or why it could not be canceled: a `GenmountError`, or what your own `fetch` or `apiKey` throws. */
  readonly error: (Error & Partial<Omit<GenmountError, keyof Error>>) | undefined
}

/** The options of a generation in a component. */
export type GenerationOptions = Pick<CreateOptions, 'idempotencyKey'>

/**
 * The state of a component's latest generation, and the functions to start and end generations. The functions stay the
 * same between renders.
 */
export interface Generation<Models extends object> extends GenerationState {
  /**
   * Starts a generation, which replaces the one before. The job of the replaced generation continues, but the component
   * no longer shows it.
   * @returns the finished job; `undefined` when the job has failed or another generation has replaced this one. The
   * promise never rejects
   */
  generate<Id extends ModelId<Models>>(
    input: CreateInput<Models, Id>,
    options?: GenerationOptions,
  ): Promise<Job | undefined>
  /**
   * Cancels the job as soon as the service has created it. The job then fails with the code `canceled`. The promise
   * never rejects.
   */
  cancel(): Promise<void>
  /** Goes back to `idle`. The job continues, but the component no longer shows it. */
  reset(): void
}

/** A generation in progress. */
interface Run {
  readonly controller: AbortController
  /** Resolves with the job as soon as the service has created it, or with `undefined` if the create fails. */
  readonly firstJob: Promise<Job | undefined>
}

/** Providers seldom report the very end, and a bar of progress must not stop before it. */
const fullProgress = (before: GenerationProgress | undefined): GenerationProgress => ({
  queuePosition: undefined,
  preview: before?.preview,
  progress: 1,
})

const idle: GenerationState = { status: 'idle', job: undefined, progress: undefined, error: undefined }

/**
 * Runs generations for a component, and re-renders it when their state changes. When the component unmounts, the client
 * stops following the job, and the job continues. Call `generate` in an event handler, such as that of a click, and not
 * while rendering.
 * @param client a client that was created outside of the component
 * @example
 * const { generate, job, progress, status } = useGeneration(client)
 */
export function useGeneration<Models extends object>(client: Client<Models>): Generation<Models> {
  const [state, setState] = useState(idle)
  const latest = useRef<Run>(undefined)
  useEffect(() => () => latest.current?.controller.abort(), [])

  const actions = useMemo(() => {
    /**
     * Replaces the previous run.
     * @returns a function that changes the state, and does nothing once the run has been replaced
     */
    function begin(run: Run | undefined) {
      latest.current?.controller.abort()
      latest.current = run
      return (change: Partial<GenerationState>) => {
        if (latest.current === run) setState((before) => ({ ...before, ...change }))
      }
    }

    return {
      async generate<Id extends ModelId<Models>>(
        input: CreateInput<Models, Id>,
        options: GenerationOptions = {},
      ): Promise<Job | undefined> {
        const controller = new AbortController()
        const { signal } = controller
        let onKnown: (job?: Job) => void
        const firstJob = new Promise<Job | undefined>((resolve) => void (onKnown = resolve))
        const show = begin({ controller, firstJob: firstJob })
        show({ ...idle, status: 'processing' })
        try {
          const job = await client.generate(input, {
            ...options,
            signal,
            onJob(latestJob) {
              onKnown!(latestJob)
              show({ job: latestJob })
            },
            onProgress: (progress) => show({ progress }),
          })
          setState((before) =>
            latest.current?.controller === controller
              ? { ...before, status: 'completed', job, progress: fullProgress(before.progress) }
              : before,
          )
          return job
        } catch (error) {
          if (!signal.aborted) show({ status: 'failed', error: error as Error })
          return undefined
        } finally {
          onKnown!()
        }
      },
      async cancel() {
        const run = latest.current
        if (!run) return
        try {
          const job = await run.firstJob
          if (job) await client.cancel(job)
        } catch (error) {
          const isFinished = (error as GenmountError).code === 'job_finished'
          if (!isFinished && latest.current === run)
            setState((before) => ({ ...before, error: error as Error }))
        }
      },
      reset() {
        begin(undefined)(idle)
      },
    }
  }, [client])

  return { ...state, ...actions }
}
