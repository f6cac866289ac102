/* Does one thing with a backend on a file: `run-task.ts <task> <file> ...`. The line `go` on its input lets it go on. */
import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'
import { longestBlockOf, turnsOf } from '../event-loop.ts'

const [, , task = '', file = '', name = ''] = process.argv
const { jobs, close } = sqliteBackend({ file })
const prompt = (length: number) => ({ prompt: 'x'.repeat(length) })
const print = (what: unknown) => console.log(JSON.stringify(what))
const messageOf = (error: Error) => error.message

const input = () => createInterface({ input: process.stdin })[Symbol.asyncIterator]()

const tasks: Record<string, () => Promise<void>> = {
  /** Reads without closing the file. As `as-nobody` it first gives up its rights to other users' files. */
  async 'use once'() {
    if (name === 'as-nobody' && process.getuid?.() === 0) process.setuid?.(65534)
    console.log(await jobs.get('job-1').then(String, messageOf))
  },

  /** Prints the id of each job that was acknowledged, or `failed` and why not, until it is killed. */
  async 'insert for ever'() {
    for (let number = 0; ; number++) {
      // Some at a time, so that a transaction holds more than one.
      const ids = ['a', 'b', 'c'].map((letter) => `${name}-${number}${letter}`)
      const insert = (id: string) =>
        jobs.insert(exampleJob({ id })).then(
          () => console.log(id),
          (error: Error) => console.log(`failed: ${error.message}`),
        )
      await Promise.all(ids.map(insert))
    }
  },

  /** Inserts until ten jobs have failed. Prints which were acknowledged and which not. */
  async 'insert until refused'() {
    const acknowledged: string[] = []
    const refused: string[] = []
    for (let number = 0; refused.length < 10; number++) {
      const id = `job-${number}`
      const inserted = jobs.insert(exampleJob({ id, input: prompt(5_000) }))
      const outcome = await inserted.then(
        () => acknowledged,
        () => refused,
      )
      outcome.push(id)
    }
    const firstJob = await jobs.get(acknowledged[0] ?? '')
    await close()
    print({ acknowledged, refused, isReadable: firstJob !== undefined })
  },

  /** Prints the outcome of an insert, how long it took, and the longest time for which the event loop stood still. */
  async 'insert while locked'() {
    await jobs.get('any')
    console.log('ready')
    await input().next()
    let longestBlock = 0
    let lastTurn = performance.now()
    setInterval(() => {
      longestBlock = Math.max(longestBlock, performance.now() - lastTurn)
      lastTurn = performance.now()
    }, 5)
    const startedAt = performance.now()
    const outcome = await jobs.insert(exampleJob()).then(() => 'inserted', messageOf)
    const took = performance.now() - startedAt
    await close()
    print({ outcome, took, longestBlock })
    process.exit()
  },

  /** Prints the outcomes of inserts with one idempotency key, and then of writes over one revision of the job with it. */
  async race() {
    const tries = Array.from({ length: 25 }, (_, index) => `${name}-${index}`)
    const idempotency = { key: 'one key', fingerprint: 'f' }
    const lines = input()
    console.log('ready')
    await lines.next()
    const inserts = await Promise.all(tries.map((id) => jobs.insert(exampleJob({ id, idempotency }))))
    print(inserts.map((insert) => insert.outcome))

    await lines.next()
    const holder = await jobs.findByIdempotencyKey(idempotency.key, exampleJob().createdAt)
    if (!holder) throw new Error('Nobody holds the key.')
    print(
      await Promise.all(tries.map((clientToken) => jobs.replace({ ...holder, clientToken, revision: 2 }, 1))),
    )
    await close()
    process.exit()
  },

  /** Finishes each job whose id it reads. Prints when that was on disk, in milliseconds since the Unix epoch. */
  async 'finish jobs'() {
    for await (const id of input()) {
      const job = await jobs.get(id)
      if (!job) throw new Error(`There is no job ${id}.`)
      const { createdAt, revision } = job
      await jobs.replace(exampleJob({ id, createdAt, revision: revision + 1, phase: 'completed' }), revision)
      console.log(Date.now())
    }
    await close()
  },

  /** Prints the rights of all files beside the database while it is in use: `{ "jobs.db": "600", ... }`. */
  async 'print rights'() {
    await jobs.insert(exampleJob())
    const rightsOf = (entry: string) => (statSync(join(dirname(file), entry)).mode & 0o777).toString(8)
    const locks = new RegExp(`^${basename(file)}-process-.*`)
    const entries = readdirSync(dirname(file)).toSorted()
    const rights = entries.map((entry) => [entry.replace(locks, 'process'), rightsOf(entry)])
    await close()
    print(Object.fromEntries(rights))
  },

  /** Writes about 20 MB and prints the size of the log, in bytes. Ends without closing the file. */
  async 'write much'() {
    for (let batch = 0; batch < 60; batch++) {
      const ids = Array.from({ length: 25 }, (_, number) => `job-${batch * 25 + number}`)
      await Promise.all(ids.map((id) => jobs.insert(exampleJob({ id, shownInput: prompt(6_000) }))))
    }
    print(statSync(`${file}-wal`).size)
  },

  /** Reads as any SQLite client does until its input ends, and prints how many jobs it has seen, unless one is half written. */
  async 'read plainly'() {
    // One test runs this script on a Node without this module.
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(file, { readOnly: true })
    const all = database.prepare(`
      SELECT count(*) AS jobs, total(revision = job ->> '$.revision' AND phase = job ->> '$.phase') AS sound,
        total(task IS NULL) AS finished, total(phase = 'completed') AS completed
      FROM jobs LEFT JOIN tasks ON job_id = jobs.id`)
    let jobCount: unknown
    console.log('reading')
    process.stdin.resume()
    while (!process.stdin.readableEnded) {
      const row = all.get()
      assert.equal(row?.sound, row?.jobs)
      assert.equal(row?.finished, row?.completed)
      jobCount = row?.jobs
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    print(jobCount)
  },

  /** Inserts jobs and finishes them, twenty at a time, for two seconds. Prints how that went, unless a step fails. */
  async 'work hard'() {
    await jobs.get('any')
    const until = performance.now() + 2_000
    const phases = ['submitting', 'running', 'collecting', 'completed'] as const
    let ended = 0
    async function takeJob(id: string): Promise<void> {
      await jobs.insert(exampleJob({ id, input: prompt(5_000) }))
      for (const [index, phase] of phases.entries()) {
        const revision = index + 1
        assert.equal((await jobs.get(id))?.revision, revision)
        const next = exampleJob({ id, phase, revision: revision + 1 })
        assert.equal(await jobs.replace(next, revision), 'replaced')
      }
      await jobs.due(exampleJob().createdAt, 200)
      ended++
    }
    async function takeJobs(_: unknown, hand: number): Promise<void> {
      for (let number = 0; performance.now() < until; number++) await takeJob(`${name}-${hand}-${number}`)
    }
    let turns = 0
    const longestBlock = await longestBlockOf(async () => {
      turns = await turnsOf(() => Promise.all(Array.from({ length: 20 }, takeJobs)))
    })
    await close()
    print({ ended, turns, longestBlock })
  },
}

await tasks[task]!()
