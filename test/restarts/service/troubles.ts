import process from 'node:process'
import type { Backend, FileFetch, FileStore, Provider } from '@genmount/core'
import { vendorFileBytes } from '../../crashes/vendor/vendor-file.ts'

/** The parts of a service in which a trouble is planted. */
export interface Parts {
  readonly providers: readonly Provider[]
  readonly backend: Backend
  readonly files: FileStore & { readonly fetch: FileFetch }
}

/** What is wrong with a service, by name. */
export const troubles = {
  /** The answer to a poll crashes the process if the task's prompt begins with `poison`. */
  'crashes over a poll': ({ providers, ...parts }) => ({
    ...parts,
    providers: providers.map((provider) => ({
      ...provider,
      async poll(task, call) {
        const report = await provider.poll(task, call)
        return isFor('poison', task.input) ? crash() : report
      },
    })),
  }),

  /** The third output of any job crashes the process halfway through its copy. */
  'crashes over a copy': ({ files, ...parts }) => ({
    ...parts,
    files: {
      ...files,
      async fetch(url, limits) {
        const { body } = await files.fetch(url, limits)
        return { body: url.endsWith('/2') ? body.pipeThrough(crashHalfway()) : body }
      },
    },
  }),

  /**
   * Jobs whose prompt begins with `accepted` are refused by the vendor. No output is ever stored or copied. The provider waits
   * for answers longer than the test runs.
   */
  'gets stuck': ({ providers, files, ...parts }) => ({
    ...parts,
    providers: providers.map((provider) => ({
      ...provider,
      callTimeoutMs: 60 * 60_000,
      submit: async (task, call) =>
        isFor('accepted', task.input)
          ? { state: 'refused', message: 'The vendor is busy.', retryAfterMs: 30_000 }
          : provider.submit(task, call),
    })),
    files: { ...files, put: () => never, fetch: () => never },
  }),

  /** The process kills itself with SIGKILL after it has deleted a job's files and before it deletes the job's row. */
  'dies before it deletes a row': ({ backend, ...parts }) => ({
    ...parts,
    backend: {
      ...backend,
      jobs: {
        ...backend.jobs,
        async delete() {
          process.kill(process.pid, 'SIGKILL')
        },
      },
    },
  }),
} satisfies Record<string, (parts: Parts) => Parts>
export type Trouble = keyof typeof troubles

/** Calls `tell` for each write that is refused because the job has changed since it was read. */
export function tellingLateWrites(backend: Backend, tell: (jobId: string) => void): Backend {
  const { jobs } = backend
  return {
    ...backend,
    jobs: {
      ...jobs,
      async replace(job, expectedRevision) {
        const outcome = await jobs.replace(job, expectedRevision)
        if (outcome === 'stale') tell(job.id)
        return outcome
      },
    },
  }
}

const never = new Promise<never>(() => {})

function isFor(place: string, { prompt }: { readonly [name: string]: unknown }): boolean {
  return String(prompt).startsWith(place)
}

/** Throws in a callback where no code can catch the error, as a broken parser may. */
function crash(): Promise<never> {
  setImmediate(() => {
    throw new Error('This is more than I can take.')
  })
  return never
}

function crashHalfway(): TransformStream<Uint8Array, Uint8Array> {
  let passedBytes = 0
  return new TransformStream({
    async transform(chunk, controller) {
      passedBytes += chunk.byteLength
      controller.enqueue(chunk)
      if (passedBytes >= vendorFileBytes / 2) await crash()
    },
  })
}
