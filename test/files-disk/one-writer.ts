/* Stores a megabyte, and prints what `put` has to say against it and whether the file is there afterwards. */
import { diskFiles } from '@genmount/files-disk'

const [folder = '', userId] = process.argv.slice(2)
const files = diskFiles({ folder })
const megabyte = () => new Blob([new Uint8Array(1024 * 1024)]).stream()
if (userId) process.setuid?.(Number(userId))

const failure = await files.put('large', megabyte(), 'video/mp4').then(
  () => undefined,
  ({ message, cause }: Error) => ({ message, code: (cause as NodeJS.ErrnoException | undefined)?.code }),
)
const isThere = (await files.open?.('large')) !== undefined
console.log(JSON.stringify({ failure, isThere }))
