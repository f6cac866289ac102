/** Writes about 20 MB to the given file and prints the size of its log, in bytes. It ends without closing the file. */
import { statSync } from 'node:fs'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = ''] = process.argv
const { jobs } = sqliteBackend({ file })
const input = { prompt: 'a fox '.repeat(1_000) }
for (let batch = 0; batch < 60; batch++) {
  const numbers = Array.from({ length: 25 }, (_, number) => batch * 25 + number)
  await Promise.all(numbers.map((number) => jobs.insert(exampleJob({ id: `job-${number}`, input }))))
}
console.log(statSync(`${file}-wal`).size)
