import { webhooks } from '@genmount/core/webhooks'
import { expect, test } from 'vitest'
import { fakeWebhooks, fakeWorld } from '@genmount/testing'
import type { FileStore } from '../contracts/storage/file-store.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

test('a process does not copy the outputs of a job that its owner has just deleted', async () => {
  const kept = memoryFileStore()
  const fetched: string[] = []
  const files: FileStore = {
    ...kept,
    async fetch(url) {
      fetched.push(url)
      return { body: new Response(new Uint8Array(12)).body! }
    },
  }
  const sender = fakeWebhooks()
  const world = fakeWorld(
    { behave: [{ outputs: [{ url: 'https://vendor.example/fox.png' }] }] },
    { plugins: [webhooks(sender)], files },
  )
  const { jobs, clock, serviceOver } = world
  const marked = Promise.withResolvers<void>()
  // The file store is slow, so the row of the job still exists when the copying process reads it.
  const deleting = serviceOver({
    files: { ...files, delete: () => new Promise<never>(() => {}) },
    jobs: {
      async replace(job, revision) {
        const outcome = await jobs.replace(job, revision)
        if (job.expiresAt === 0) marked.resolve()
        return outcome
      },
    },
  })
  let deletion: Promise<void> | undefined
  const copying = serviceOver({
    jobs: {
      async replace(job, revision) {
        if (job.phase === 'completed' && job.claim?.until !== undefined && !deletion) {
          deletion = deleting.delete(job.id, 'alice')
          await marked.promise
        }
        return jobs.replace(job, revision)
      },
    },
  })
  const input = { prompt: 'a fox', webhook_url: 'https://client.test/hook' }
  await copying.create({ owner: 'alice', model: 'fake-image', input })
  await clock.advance(10_000)
  await deletion
  expect(deletion).toBeDefined()
  expect(fetched).toEqual([])
})
