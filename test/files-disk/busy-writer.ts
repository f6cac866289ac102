/* Stores one version of a film after the other under the same key, and says when one is stored, until it is killed. */
import { diskFiles } from '@genmount/files-disk'
import { filmStream } from './film.ts'

const [folder = ''] = process.argv.slice(2)
const files = diskFiles({ folder })

for (let version = 1; ; version++) {
  await files.put('film', filmStream(version), `video/${version}`)
  console.log(`stored ${version}`)
}
