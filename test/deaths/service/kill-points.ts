import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { ReadableStream as AnyStream } from 'node:stream/web'
import { type Job, isFinished } from '@genmount/core'
import { vendorFileBytes } from '../vendor/vendor-file.ts'
import type { PartHooks } from './hooked.ts'

/** The moments at which a service may die, in the order of the life of a job. */
export const killPoints = [
  'before the insert',
  'after the insert',
  'after the provider has accepted',
  'after the handle is stored',
  'after a poll is answered',
  'before bytes are stored',
  'before the terminal write',
  'after the terminal write',
  'in the middle of a copy',
  'after a copy is stored',
] as const
export type KillPoint = (typeof killPoints)[number] | 'before a row is deleted'

/**
 * Kills this process at one point, when a subject reaches it for the first time in any process.
 * @param folder keeps a file for each subject for which a process has died
 */
export function killHooks(chosen: KillPoint | undefined, folder: string): PartHooks {
  function die(point: KillPoint, subject: string): void {
    if (point === chosen && isFirstDeathOver(join(folder, encodeURIComponent(subject)))) kill()
  }
  // Not the id, because the next try of the same client gets another id.
  const promptOf = (job: Job) => String(job.shownInput['prompt'])
  return {
    jobs: {
      insert: {
        before: (job) => die('before the insert', promptOf(job)),
        after: (_, job) => die('after the insert', promptOf(job)),
      },
      replace: {
        before(job) {
          if (isFinished(job)) die('before the terminal write', job.id)
        },
        after(outcome, job) {
          if (outcome === 'stale') return
          if (isFinished(job)) die('after the terminal write', job.id)
          if (job.handle !== undefined) die('after the handle is stored', job.id)
        },
      },
      delete: { before: (id) => die('before a row is deleted', id) },
    },
    provider: {
      submit: { after: (_, { jobId }) => die('after the provider has accepted', jobId) },
      poll: { after: (_, { jobId }) => die('after a poll is answered', jobId) },
    },
    files: {
      fetch: {
        after: ({ body }, url) => ({ body: actHalfway(body, () => die('in the middle of a copy', url)) }),
      },
      put: {
        before(key, body) {
          if (body instanceof Uint8Array) die('before bytes are stored', key)
        },
        after(_, key, body) {
          if (body instanceof ReadableStream) die('after a copy is stored', key)
        },
      },
    },
  }
}

/** Ends this process like `kill -9`. */
export function kill(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** Passes all bytes on, and acts when the first half of a file has been read and more is wanted. It reads nothing ahead. */
export function actHalfway(
  body: ReadableStream<Uint8Array>,
  act: () => Promise<never> | void,
): ReadableStream<Uint8Array> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let left = vendorFileBytes / 2
    for await (const chunk of body) {
      if (left > 0 && chunk.byteLength >= left) {
        yield chunk.subarray(0, left)
        await act()
        yield chunk.subarray(left)
      } else yield chunk
      left -= chunk.byteLength
    }
  }
  return AnyStream.from(pieces()) as ReadableStream<Uint8Array>
}

function isFirstDeathOver(mark: string): boolean {
  try {
    writeFileSync(mark, '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
}
