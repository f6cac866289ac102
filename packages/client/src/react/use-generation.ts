import { useEffect, useMemo, useRef, useState } from 'react'
import type { Client } from '../client/client.ts'
import type { CreateOptions, GenerationProgress } from '../client/client-options.ts'
import type { GenmountError } from '../errors/genmount-error.ts'
import type { CreateInput, ModelId } from '../wire/create-input.ts'
import type { Job } from '../wire/job.ts'

/** What a component shows of its latest generation. */
export interface GenerationState {
  /** `idle` before the first generation and after a reset, then `processing`, then how the generation has ended. */
  readonly status: 'idle' | 'processing' | 'completed' | 'failed'
  /** The job as it was last known. `undefined` until the service has it. */
  readonly job: Job | undefined
  /** How far the job is, as far as its provider tells. */
  readonly progress: GenerationProgress | undefined
  /** Why the generation has failed, or why it could not be cancelled: a `GenmountError`, or what your own `fetch` or `apiKey` throws. */
  readonly error: (Error & Partial<Omit<GenmountError, keyof Error>>) | undefined
}

/** What a generation of a component takes. */
export type GenerationOptions = Pick<CreateOptions, 'idempotencyKey'>

/** What a component shows of its latest generation, and what it can do. The functions stay the same between renders. */
export interface Generation<Models extends object> extends GenerationState {
  /**
   * Starts a generation, which takes the place of the one before. The job of the one before goes on unseen.
   * @returns the finished job; `undefined` when it has failed or another generation has taken its place. It never rejects
   */
  generate<Id extends ModelId<Models>>(
    input: CreateInput<Models, Id>,
    options?: GenerationOptions,
  ): Promise<Job | undefined>
  /** Cancels the job, as soon as the service has it. It then fails as `canceled`. It never rejects. */
  cancel(): Promise<void>
  /** Forgets the generation. Its job goes on unseen. */
  reset(): void
}

/** A generation that is followed. */
interface Run {
  readonly controller: AbortController
  /** Resolves as soon as the service has the job. `undefined` when it never gets it. */
  readonly known: Promise<Job | undefined>
}

const idle: GenerationState = { status: 'idle', job: undefined, progress: undefined, error: undefined }

/**
 * Generates for a component, and keeps what it shows up to date. When the component goes away, the job is no longer
 * followed, and goes on. Call `generate` when something happens, such as a click, and not while rendering.
 * @param client made outside of the component
 * @example
 * const { generate, job, progress, status } = useGeneration(client)
 */
export function useGeneration<Models extends object>(client: Client<Models>): Generation<Models> {
  const [state, setState] = useState(idle)
  const latest = useRef<Run>(undefined)
  useEffect(() => () => latest.current?.controller.abort(), [])

  const actions = useMemo(() => {
    /** Takes the place of the run before. @returns what changes the state for as long as the run is the latest */
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
        const known = new Promise<Job | undefined>((resolve) => void (onKnown = resolve))
        const show = begin({ controller, known })
        show({ ...idle, status: 'processing' })
        try {
          const job = await client.generate(input, {
            ...options,
            signal,
            onJob(job) {
              onKnown!(job)
              show({ job })
            },
            onProgress: (progress) => show({ progress }),
          })
          show({ status: 'completed', job })
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
          const job = await run.known
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
