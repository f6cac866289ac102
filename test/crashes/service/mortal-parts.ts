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
      return { body: streamOf(halfway(body, () => die('in the middle of a copy', url))) }
    },
    async put(key, body, contentType) {
      if (body instanceof Uint8Array) die('before bytes are stored', key)
      await files.put(key, body, contentType)
      if (body instanceof ReadableStream) die('after a copy is stored', key)
    },
  }
}

/** Passes all bytes on, and calls `tell` when the first half of a file has been read and more is wanted. */
async function* halfway(body: ReadableStream<Uint8Array>, tell: () => void): AsyncGenerator<Uint8Array> {
  let left = vendorFileBytes / 2
  for await (const chunk of body) {
    if (left > 0 && chunk.byteLength >= left) {
      yield chunk.subarray(0, left)
      tell()
      yield chunk.subarray(left)
    } else yield chunk
    left -= chunk.byteLength
  }
}

/** A stream that reads nothing ahead. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => pieces.throw(reason).then(() => {}),
    },
    { highWaterMark: 0 },
  )
}
