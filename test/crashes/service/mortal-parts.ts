import { type Backend, type FileFetch, type FileStore, isFinished, type Provider } from '@genmount/core'
import { vendorFileBytes } from '../vendor/vendor-file.ts'
import { type Die, kill } from './kill-points.ts'

/** The backend, around whose writes the process dies. */
export function mortalBackend(backend: Backend, die: Die): Backend {
  const { jobs } = backend
  return {
    ...backend,
    jobs: {
      ...jobs,
      async insert(job) {
        // Not the id, which the next try of the same client does not share.
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

/** The provider, between whose word and its recording the process dies. Its poisonous tasks kill at any point. */
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
      return report
    },
  }
}

/** The file store, around whose writes the process dies. */
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

/** Passes everything on, and tells when half of a file has been. */
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
