import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { JobNews } from '@genmount/core'
import { databaseOfFile, newSchema } from '../postgres/temporary-database.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

/** Listens to a job on one node, and tells its news on another one until they are heard. */
async function told(jobId: string, news: JobNews): Promise<JobNews> {
  const schema = newSchema()
  const [here, there] = [nodeOn(url, schema), nodeOn(url, schema)]
  await here.backend.ready?.()
  await there.backend.ready?.()
  const heard: JobNews[] = []
  onTestFinished(here.signals.news!.subscribe(jobId, (each) => heard.push(each)))
  await vi.waitFor(
    () => {
      there.signals.news!.publish(jobId, news)
      expect(heard.length).toBeGreaterThan(0)
    },
    { timeout: 60_000, interval: 200 },
  )
  return heard[0]!
}

test.each(['job-1', 'job "1"/ü', 'job\u0000', '\ud800'])(
  'news of job %j reach a listener on another node unchanged',
  async (id) => {
    const preview = {
      bytes: Uint8Array.from({ length: 5000 }, (_, at) => at % 256),
      contentType: 'image/webp',
    }
    const news = { progress: 0.25, queuePosition: 2, preview }
    expect(await told(id, news)).toEqual(news)
  },
)

test('news with a preview that is too large for a Postgres notification arrive without the preview', async () => {
  const preview = { bytes: new Uint8Array(8000), contentType: 'image/webp' }
  expect(await told('job-1', { progress: 0.25, preview })).toEqual({ progress: 0.25 })
})
