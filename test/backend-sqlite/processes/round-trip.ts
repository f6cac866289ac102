/** The life of some jobs, for any runtime. Prints what it saw, and ends by itself when everything is closed. */
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = ''] = process.argv
const idempotency = { key: 'alice "key" \u0000 ❄️', fingerprint: 'f' }
const task = { text: 'a 🦊, NUL \u0000, high \ud83e, low \udd8a', number: 0.1 + 0.2 }
const job = exampleJob({ id: 'kept', idempotency, input: task })
const finished = { ...exampleJob({ id: 'done', phase: 'completed' }), revision: 2 }

const first = sqliteBackend({ file })
const second = sqliteBackend({ file })
const wakes: string[] = []

/** Whether the watch is woken that often before long. */
async function isWoken(times: number): Promise<boolean> {
  for (let wait = 0; wakes.length < times && wait < 250; wait++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  return wakes.length >= times
}

const seen = {
  inserted: await first.jobs.insert(job),
  duplicate: await second.jobs.insert({ ...job, id: 'late' }),
  read: await second.jobs.get('kept'),
  replaced: await second.jobs.replace({ ...job, attempts: 7, revision: 2 }, 1),
  stale: await first.jobs.replace({ ...job, attempts: 8, revision: 2 }, 1),
  seenByTheOther: (await first.jobs.get('kept'))?.attempts,
  due: await first.jobs.due(job.createdAt, 10),
  watched: [
    first.signals.subscribe('kept', () => wakes.push('kept')) && (await isWoken(1)),
    await second.jobs.replace({ ...job, attempts: 9, revision: 3 }, 2),
    await isWoken(2),
  ],
  finished: [
    await first.jobs.insert(exampleJob({ id: 'done' })),
    await first.jobs.replace(finished, 1),
    (await second.jobs.expired(job.expiresAt, 10)).map(({ id }) => id),
  ],
  listed: (await second.jobs.list!({ owner: 'alice', limit: 10, maxLength: 1 })).map(({ id }) => id),
  deleted: [await first.jobs.delete('done'), await second.jobs.get('done')].length,
  unknown: (await first.jobs.get('unknown')) === undefined,
}
await first.close()
await second.close()

const third = sqliteBackend({ file })
const reopened = await third.jobs.findByIdempotencyKey(idempotency.key, job.createdAt)
await third.close()
await third.close()
console.log(JSON.stringify({ ...seen, reopened }))
