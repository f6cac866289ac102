/** Reads the file as any SQLite client does, over and over, until its input ends. Prints what it has seen. */
import { DatabaseSync } from 'node:sqlite'

const [, , file = ''] = process.argv
const database = new DatabaseSync(file, { readOnly: true })
const all = database.prepare(`
  SELECT count(*) AS jobs, total(revision = job ->> '$.revision' AND phase = job ->> '$.phase') AS sound,
    total(task IS NULL) AS finished, total(phase = 'completed') AS completed
  FROM jobs LEFT JOIN tasks ON job_id = jobs.id`)
const faults: string[] = []
let unsound = 0
let jobs = 0

console.log('reading')
process.stdin.resume()
while (!process.stdin.readableEnded) {
  try {
    const row = all.get()
    if (row?.jobs !== row?.sound || row?.finished !== row?.completed) unsound++
    jobs = Number(row?.jobs)
  } catch (error) {
    faults.push(String(error))
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
}
console.log(JSON.stringify({ jobs, unsound, faults }))
