/* Prints what a store says when it is asked whether it is ready. */
import { diskFiles } from '@genmount/files-disk'

const [folder = '', userId] = process.argv.slice(2)
if (userId) process.setuid?.(Number(userId))
const said = await diskFiles({ folder })
  .ready?.()
  .then(
    () => 'ready',
    ({ message }: Error) => message,
  )
console.log(JSON.stringify(said))
