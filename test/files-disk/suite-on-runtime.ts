/* Runs the conformance suite in a folder and prints the cases that fail and the handles that are left. */
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { diskFiles } from '@genmount/files-disk'
import { fileStoreSuite } from '@genmount/testing'

const [place = ''] = process.argv.slice(2)
let count = 0
const suite = fileStoreSuite(() => ({ files: diskFiles({ folder: join(place, String(count++)) }) }))

const failing: string[] = []
for (const [name, run] of Object.entries(suite)) {
  await run().catch((error: unknown) => failing.push(`${name}: ${String(error)}`))
}

const fds = await readdir('/proc/self/fd')
const targets = await Promise.all(fds.map((fd) => readlink(join('/proc/self/fd', fd)).catch(() => '')))
console.log(
  JSON.stringify({ cases: count, failing, handles: targets.filter((target) => target.startsWith(place)) }),
)
