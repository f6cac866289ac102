import assert from 'node:assert/strict'
import type { JobNews } from '@genmount/core'
import type { SignalsCases } from './signals-cases.ts'

const preview = {
  bytes: Uint8Array.from({ length: 300 }, (_, index) => index % 256),
  contentType: 'image/png',
}

/** The cases about news. */
export const newsCases: SignalsCases = {
  'whoever listens to a job hears its news as they were told, and is not woken by them': async ({
    news,
    subscribe,
    woken,
  }) => {
    if (!news) return
    const heard: JobNews[] = []
    let wakes = 0
    news.subscribe('job-1', (jobNews) => heard.push(jobNews))
    subscribe('job-1', () => wakes++)
    const all: readonly JobNews[] = [
      { progress: 0 },
      { progress: 0.25, queuePosition: 3 },
      { queuePosition: 0 },
      { preview },
    ]
    for (const [index, jobNews] of all.entries()) {
      await toldUntil(
        () => news.publish('job-1', jobNews),
        () => heard.length > index,
        woken,
      )
      // News that are published repeatedly until they arrive may arrive twice.
      heard.length = index + 1
      assert.deepEqual(heard[index], jobNews)
    }
    assert.equal(wakes, 0, 'news have woken somebody')
  },

  'nobody hears the news of another job, or news after the end of the subscription': async ({
    news,
    woken,
  }) => {
    if (!news) return
    const heard = new Set<string>()
    const listen = (id: string, name = id) => news.subscribe(id, () => void heard.add(name))
    listen('job-1')
    listen('JOB-1')
    listen('job 1/ü')
    const end = listen('job-1', 'gone')
    end()
    end()
    for (const id of ['job-1', 'job 1/ü']) {
      await toldUntil(
        () => news.publish(id, { progress: 0.5 }),
        () => heard.has(id),
        woken,
      )
      assert.deepEqual(heard, new Set([id]))
      heard.clear()
    }
  },

  'a preview of 64 KiB may be left out of its news, and the rest of them arrives': async ({
    news,
    woken,
  }) => {
    if (!news) return
    const large = { ...preview, bytes: new Uint8Array(65_536).fill(7) }
    const heard: JobNews[] = []
    news.subscribe('job-1', (jobNews) => heard.push(jobNews))
    await toldUntil(
      () => news.publish('job-1', { progress: 0.5, preview: large }),
      () => heard.length > 0,
      woken,
    )
    const [{ progress, preview: shown } = {}] = heard
    assert.equal(progress, 0.5)
    if (!shown) return
    assert.equal(shown.contentType, large.contentType)
    // `deepEqual` is not used, because its message about two long lists takes minutes to write.
    assert.ok(Buffer.from(shown.bytes).equals(large.bytes), 'the preview is another one')
  },
}

/** Publishes repeatedly until the news arrive, because the subscription may still be on its way to the other node. */
async function toldUntil(
  tell: () => void,
  isHeard: () => boolean,
  woken: (isWoken: () => boolean) => Promise<void>,
): Promise<void> {
  tell()
  const again = setInterval(tell, 100)
  await woken(isHeard).finally(() => clearInterval(again))
}
