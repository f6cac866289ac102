/** Inserts jobs into the file it is given, and prints the id of each that was acknowledged, or `failed` and why not. */
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = '', prefix = ''] = process.argv
const { jobs } = sqliteBackend({ file })

for (let number = 0; ; number++) {
  const id = `${prefix}-${number}`
  const outcome = await jobs.insert(exampleJob({ id })).then(
    () => id,
    (error: Error) => `failed: ${error.message}`,
  )
  process.stdout.write(`${outcome}\n`)
}
