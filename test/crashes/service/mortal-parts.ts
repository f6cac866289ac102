import { type Backend, type FileFetch, type FileStore, isFinished, type Provider } from '@genmount/core'
import { vendorFileBytes } from '../vendor/vendor-file.ts'
import { type Die, kill } from './kill-points.ts'

/** The same backend. The process may die before and after its writes. */
export function mortalBackend(backend: Backend, die: Die): Backend {
  const { jobs } = backend
  return {
    ...backend,
    jobs: {
      ...jobs,
      async insert(job) {
        // Not the id, because the next try of the same client gets another id.
        const subject = String(job.input['prompt'])
        die('before the insert', subject)
        const outcome = await jobs.insert(job)
        die('after the insert', subject)
        return outcome
      },
      async replace(job, expectedRevision) {
        if (isFinished(job)) die('before the terminal write', job.id)
        const outcome = await jobs.replace(job, expectedRevision)
        if (outcome === 'stale') return outcome
        if (isFinished(job)) die('after the terminal write', job.id)
        if (job.handle !== undefined) die('after the handle is stored', job.id)
        return outcome
      },
    },
  }
}

/**
 * The same provider. The process may die after its answer and before this is stored. Poisonous tasks kill it
 * each time.
 */
export function mortalProvider(provider: Provider, die: Die): Provider {
  return {
    ...provider,
    async submit(task, call) {
      const report = await provider.submit(task, call)
      if (task.input['poison'] === 'submit') kill()
      die('after the provider has accepted', task.jobId)
      return report
    },
    async poll(task, call) {
      const report = await provider.poll(task, call)
      if (task.input['poison'] === 'poll') kill()
      die('after a poll is answered', task.jobId)
      return report
    },
  }
}

/** The same file store. The process may die before and after its writes. */
export function mortalFiles(files: FileStore & { readonly fetch: FileFetch }, die: Die): FileStore {
  return {
    ...files,
    async fetch(url, limits) {
      const { body } = await files.fetch(url, limits)
      return { body: body.pipeThrough(halfway(() => die('in the middle of a copy', url))) }
    },
    async put(key, body, contentType) {
      if (body instanceof Uint8Array) die('before bytes are stored', key)
      await files.put(key, body, contentType)
      if (body instanceof ReadableStream) die('after a copy is stored', key)
    },
  }
}

/** Passes all bytes on, and calls `tell` after half of a file. */
function halfway(tell: () => void): TransformStream<Uint8Array, Uint8Array> {
  let passedBytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      if (passedBytes >= vendorFileBytes / 2) tell()
      passedBytes += chunk.byteLength
      controller.enqueue(chunk)
    },
  })
}
