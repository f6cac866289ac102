import assert from 'node:assert/strict'
import type { Backend } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'
import { readyCases } from '../ready-cases.ts'
import { suiteOf, type Subject, type Suite } from '../suite.ts'

/** The subject of `backendSuite`: an empty backend that has not been used yet. */
export interface BackendSubject extends Subject {
  /** The backend that is tested. The suite closes it. */
  readonly backend: Backend
  /**
   * Makes a backend that can't be used, because its place does not exist or is not writable.
   * @default the case about it passes without testing anything
   */
  readonly unusable?: () => Backend | Promise<Backend>
}

/**
 * The promises of every `Backend` apart from those of its parts, as cases. `jobStoreSuite`, `schedulerSuite` and
 * `jobSignalsSuite` test the parts.
 * @param create makes a backend. Each case calls it once.
 * @example
 * const suite = backendSuite(() => ({ backend: memoryBackend() }))
 * for (const [name, run] of Object.entries(suite)) test(name, run)
 */
export function backendSuite(create: () => BackendSubject | Promise<BackendSubject>): Suite {
  const cases = {
    ...readyCases('a backend', ({ backend }: BackendSubject) => backend),

    'a backend that is ready stores jobs': async ({ backend: { ready, jobs } }: BackendSubject) => {
      await ready?.()
      assert.deepEqual(
        await jobs.due(Number.MAX_SAFE_INTEGER, 1),
        [],
        'there are jobs that nobody has stored',
      )
      assert.deepEqual(await jobs.insert(exampleJob({ id: 'job-1' })), { outcome: 'inserted' })
      await ready?.()
      assert.equal((await jobs.get('job-1'))?.id, 'job-1', 'the job is gone once the backend was asked again')
    },
  }
  return suiteOf(async () => {
    const subject = await create()
    const close = async () => {
      await subject.backend.close()
      await subject.close?.()
    }
    return { ...subject, close }
  }, cases)
}
