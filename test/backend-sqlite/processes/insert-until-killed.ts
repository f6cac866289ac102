/** Inserts jobs into the file it is given, and prints the id of each that was acknowledged. */
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = '', prefix = ''] = process.argv
const { jobs } = sqliteBackend({ file })

for (let number = 0; ; number++) {
  // Some at a time, so that a transaction holds more than one.
  const ids = ['a', 'b', 'c'].map((letter) => `${prefix}-${number}${letter}`)
  await Promise.all(
    ids.map(async (id) => {
      const { outcome } = await jobs.insert(exampleJob({ id }))
      if (outcome === 'inserted') process.stdout.write(`${id}\n`)
    }),
  )
}
