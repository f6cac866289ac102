import type { Attack, Target } from '../attack.ts'
import { create, head } from '../connections.ts'

const job = (fields: object) => JSON.stringify({ model: 'anything', prompt: 'a kite', ...fields })

/** Creates one job as the attacker and waits until it has finished. @returns the answer */
async function finishedJob({ open }: Target, fields: object): Promise<string> {
  const connection = await open()
  await connection?.send(create(job(fields), '/v1/generate?wait=true'))
  const answer = (await connection?.answer()) ?? ''
  connection?.close()
  return answer
}

/** Creates `count` jobs over `lines` connections, one after the other on each connection. */
async function createMany(target: Target, count: number, lines: number, request: string): Promise<void> {
  await target.onEach(lines, async (connection) => {
    for (let made = 0; made < count / lines && !target.isOver(); made++) {
      if (!(await connection.send(request))) return
      if ((await Promise.race([connection.answer(), target.over])) === '') return
    }
  })
}

/** Attacks by one owner with a valid key, who takes places that other owners need. */
export const placeAttacks = {
  '200 readers of a 20 MB output who stop reading': {
    // The 32 KiB that are read at a time, twice over, the buffers of the sockets, and what Bun has not collected yet of the
    // 800 MB that the kernel's buffers take in: a bare server on Bun 1.4.5 that reads a file like this took 120 (2026-11-22).
    budgetMb: 90,
    // 200 times the buffers of the kernel, at most some 6 MB each on loopback, and the film itself.
    writesMb: 1500,
    async run(target) {
      const { open, onEach, over } = target
      const answer = await finishedJob(target, { output: 'film' })
      // Beside other attacks, this owner may have used up its share already.
      if (/^HTTP\/1\.1 (429|503) /.test(answer)) return
      const id = /location: \S*\/v1\/jobs\/([\w-]+)/i.exec(answer)?.[1]
      if (id === undefined) throw new Error(`No job of the attacker was made: ${answer}`)
      const first = await open()
      await first?.send(head('GET', `/v1/files/${id}`))
      const path = /location: http:\/\/[^/]+(\S+)/i.exec((await first?.answer()) ?? '')?.[1]
      if (path === undefined) throw new Error('The job of the attacker has no file')
      await onEach(200, async (connection) => {
        connection.pause()
        await connection.send(head('GET', path))
      })
      await over
    },
  },

  'an owner who fills the waiting places': {
    // A waiter is a connection, a timer and a job.
    budgetMb: 20,
    settings: { maxWaiters: 100 },
    forMs: 1500,
    async run(target) {
      const request = create(job({ delay_ms: 60_000 }), '/v1/generate?wait=true')
      await createMany(target, 200, 200, request)
      await target.over
    },
  },

  'an owner who makes 5,000 jobs that run long': {
    // 10 kB for each running job.
    budgetMb: 50,
    // Each job is polled once a second and written a few times, with some 5 kB each time.
    writesMb: 300,
    run: (target) => createMany(target, 5000, 10, create(job({ delay_ms: 60_000 }))),
  },
} satisfies Record<string, Attack>
