import { describe, expect, test } from 'vitest'
import { type JobSignals, memorySignals, type NewsSignals } from '@genmount/core'
import { jobSignalsSuite } from '@genmount/testing'
import { failingCases } from '../suite.ts'

interface Watch {
  readonly jobId: string
  readonly wake: () => void
}

/** Signals that keep the contract, unless `watchers` or `deliver` is a broken one. */
function referenceSignals(
  watches: Watch[] = [],
  deliver: (woken: readonly Watch[]) => void = (woken) => {
    for (const { wake } of woken) wake()
  },
): JobSignals {
  return {
    publish: (jobId) => deliver(watches.filter((watch) => watch.jobId === jobId)),
    subscribe(jobId, wake) {
      const watch = { jobId, wake }
      watches.push(watch)
      return () => {
        if (watches.includes(watch)) watches.splice(watches.indexOf(watch), 1)
      }
    },
  }
}

test('signals that keep the contract pass every case, at once or a moment later', async () => {
  expect(await failingCases(jobSignalsSuite(() => ({ signals: referenceSignals() })))).toEqual([])

  const suite = jobSignalsSuite(() => {
    const near = referenceSignals()
    const far: JobSignals = { ...near, publish: (jobId) => void setTimeout(() => near.publish(jobId), 5) }
    return { signals: near, publisher: far }
  })
  expect(await failingCases(suite)).toEqual([])
})

const faults: Record<string, { readonly create: () => JobSignals; readonly fails: readonly string[] }> = {
  'never wakes anyone': {
    create: () => ({ publish: () => {}, subscribe: () => () => {} }),
    fails: [
      'whoever watches a job is woken by a publish for it, again and again',
      'everybody who watches the job is woken',
      'nobody is woken for another job',
      'whoever has ended the watch is not woken, the others are',
      'one function may watch twice, and ending one watch leaves the other',
      'a watch that begins after the last one has ended is woken',
      'a watch can be ended from within its own wake',
      'a watch that begins within a wake does not keep the publish going',
      'a publish that nobody waits for does nothing',
    ],
  },
  'wakes everybody for any job': {
    create: () => {
      const signals = referenceSignals()
      return {
        publish: () => signals.publish('any'),
        subscribe: (_jobId, wake) => signals.subscribe('any', wake),
      }
    },
    fails: ['nobody is woken for another job'],
  },
  'wakes only the latest watcher': {
    create: () => referenceSignals([], (woken) => woken.at(-1)?.wake()),
    fails: [
      'everybody who watches the job is woken',
      'one function may watch twice, and ending one watch leaves the other',
      'a watch can be ended from within its own wake',
    ],
  },
  'wakes a watcher once and forgets it': {
    create: () => {
      const signals = referenceSignals()
      return {
        ...signals,
        subscribe(jobId, wake) {
          const end = signals.subscribe(jobId, () => {
            end()
            wake()
          })
          return end
        },
      }
    },
    fails: [
      'whoever watches a job is woken by a publish for it, again and again',
      'one function may watch twice, and ending one watch leaves the other',
      'a watch can be ended from within its own wake',
    ],
  },
  'takes one function for one watch': {
    create: () => {
      const watching = new Map<string, Set<() => void>>()
      return {
        publish: (jobId) => {
          for (const wake of Array.from(watching.get(jobId) ?? [])) {
            try {
              wake()
            } catch {
              // Not the fault in question.
            }
          }
        },
        subscribe(jobId, wake) {
          watching.set(jobId, (watching.get(jobId) ?? new Set()).add(wake))
          return () => void watching.get(jobId)?.delete(wake)
        },
      }
    },
    fails: ['one function may watch twice, and ending one watch leaves the other'],
  },
  'ends all watches of the job with one': {
    create: () => {
      const watches: Watch[] = []
      const signals = referenceSignals(watches)
      return {
        ...signals,
        subscribe(jobId, wake) {
          signals.subscribe(jobId, wake)
          return () => {
            for (const watch of watches.filter((each) => each.jobId === jobId))
              watches.splice(watches.indexOf(watch), 1)
          }
        },
      }
    },
    fails: [
      'whoever has ended the watch is not woken, the others are',
      'one function may watch twice, and ending one watch leaves the other',
      'a watch that begins after the last one has ended is woken',
      'a watch can be ended from within its own wake',
    ],
  },
  'ends no watch': {
    create: () => {
      const signals = referenceSignals()
      return {
        ...signals,
        subscribe(jobId, wake) {
          signals.subscribe(jobId, wake)
          return () => {}
        },
      }
    },
    fails: [
      'whoever has ended the watch is not woken, the others are',
      'a watch can be ended from within its own wake',
    ],
  },
  'skips a watcher when the one before it leaves': {
    create: () => {
      const watches: Watch[] = []
      return {
        ...referenceSignals(watches),
        publish(jobId) {
          for (let index = 0, count = watches.length; index < count; index++) {
            const watch = watches[index]
            try {
              if (watch?.jobId === jobId) watch.wake()
            } catch {
              // Not the fault in question.
            }
          }
        },
      }
    },
    fails: ['a watch can be ended from within its own wake'],
  },
  'wakes watchers that come while it wakes': {
    create: () => {
      const watches: Watch[] = []
      return {
        ...referenceSignals(watches),
        publish(jobId) {
          // A loop over an array also visits entries that are added during the loop.
          for (const watch of watches) {
            try {
              if (watch.jobId === jobId) watch.wake()
            } catch {
              // Not the fault in question.
            }
          }
        },
      }
    },
    fails: [
      'a watch can be ended from within its own wake',
      'a watch that begins within a wake does not keep the publish going',
    ],
  },
}

/** The reference signals with news. */
function withNews(change: (news: NewsSignals) => Partial<NewsSignals> = () => ({})): JobSignals {
  const { news } = memorySignals()
  return { ...referenceSignals(), news: { ...news, ...change(news) } }
}

test('news that keep the contract pass every case', async () => {
  expect(await failingCases(jobSignalsSuite(() => ({ signals: withNews() })))).toEqual([])
})

const asTold = 'whoever listens to a job hears its news as they were told, and is not woken by them'
const whom = 'nobody hears the news of another job, or news after the end of the subscription'
const largePreview = 'a preview of 64 KiB may be left out of its news, and the rest of them arrives'

test.each<[string, () => JobSignals, string[]]>([
  ['reach nobody', () => withNews(() => ({ publish() {} })), [asTold, whom, largePreview]],
  [
    'lose the place in the queue',
    () => withNews(({ publish }) => ({ publish: (id, { progress }) => publish(id, { progress }) })),
    [asTold],
  ],
  [
    'are lost when a preview is large',
    () =>
      withNews(({ publish }) => ({
        publish: (id, news) => (news.preview?.bytes.length ?? 0) < 8000 && publish(id, news),
      })),
    [largePreview],
  ],
  [
    'cut a large preview',
    () =>
      withNews(({ publish }) => ({
        publish: (id, { preview, ...news }) =>
          publish(id, {
            ...news,
            ...(preview && { preview: { ...preview, bytes: preview.bytes.slice(0, 8000) } }),
          }),
      })),
    [largePreview],
  ],
  [
    'reach whoever listens to any job',
    () =>
      withNews(({ publish }) => ({
        publish: (_id, news) => ['job-1', 'job 1/ü'].forEach((any) => publish(any, news)),
      })),
    [whom],
  ],
  [
    'go on after the end of a subscription',
    () =>
      withNews(({ subscribe }) => ({
        subscribe(id, hear) {
          subscribe(id, hear)
          return () => {}
        },
      })),
    [whom],
  ],
  [
    'wake',
    () => {
      const signals = withNews()
      return {
        ...signals,
        news: {
          ...signals.news!,
          publish(id, news) {
            signals.publish(id)
            signals.news!.publish(id, news)
          },
        },
      }
    },
    [asTold],
  ],
])('news that %s fail the cases that say so', async (_fault, create, fails) => {
  expect(
    (await failingCases(jobSignalsSuite(() => ({ signals: create(), withinMs: 50 })))).toSorted(),
  ).toEqual(fails.toSorted())
})

describe('broken signals fail exactly the cases that name their fault: they', () => {
  test.each(Object.entries(faults))('%s', async (_fault, { create, fails }) => {
    expect(await failingCases(jobSignalsSuite(() => ({ signals: create(), withinMs: 50 })))).toEqual(fails)
  })
})
