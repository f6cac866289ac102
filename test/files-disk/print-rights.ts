/* Stores a file, and prints the rights of the folder, of the file while it comes in, and of the file that is stored. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { diskFiles } from '@genmount/files-disk'

const [folder = ''] = process.argv.slice(2)
const files = diskFiles({ folder })
const rightsOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const rightsInside = () => readdirSync(folder).map((name) => rightsOf(join(folder, name)))

let comingIn: readonly string[] = []
const body = new ReadableStream<Uint8Array>(
  {
    pull(controller) {
      comingIn = rightsInside()
      controller.enqueue(new Uint8Array(1000))
      controller.close()
    },
  },
  { highWaterMark: 0 },
)
await files.put('film', body, 'video/mp4')
console.log(JSON.stringify({ folder: rightsOf(folder), comingIn, stored: rightsInside() }))
