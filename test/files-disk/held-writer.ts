/* Stores a film over an old one and a film under a fresh key, and stops in the middle of both until it is killed. */
import { diskFiles } from '@genmount/files-disk'
import { filmStream } from './film.ts'

const [folder = '', heldAt] = process.argv.slice(2)
const files = diskFiles({ folder })

setInterval(() => {}, 1000) // A held stream alone would not keep the process.
await Promise.all(
  ['old', 'fresh'].map((key) =>
    files.put(
      key,
      filmStream(2, Number(heldAt), () => console.log('held')),
      'video/two',
    ),
  ),
)
