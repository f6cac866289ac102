/** Inserts jobs into the file it is given until ten have failed, and prints which were acknowledged and which not. */
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = ''] = process.argv
const { jobs, close } = sqliteBackend({ file })
const acknowledged: string[] = []
const refused: string[] = []
const faults = new Set<string>()

for (let number = 0; refused.length < 10; number++) {
  const id = `job-${number}`
  try {
    await jobs.insert(exampleJob({ id, task: { prompt: 'x'.repeat(5_000) } }))
    acknowledged.push(id)
  } catch (error) {
    refused.push(id)
    faults.add(String(error))
  }
}
const firstJob = await jobs.get(acknowledged[0] ?? '')
await close()
console.log(
  JSON.stringify({ acknowledged, refused, faults: [...faults], isReadable: firstJob !== undefined }),
)
