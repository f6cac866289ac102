/**
 * Reads from the file it is given and prints what came of it. With `as-nobody` it has no rights over other users' files.
 * Closes nothing.
 */
import { sqliteBackend } from '@genmount/backend-sqlite'

const [, , file = '', user] = process.argv
const nobody = 65534
if (user === 'as-nobody' && process.getuid?.() === 0) process.setuid?.(nobody)
const { jobs } = sqliteBackend({ file })
console.log(await jobs.get('job-1').then(String, (error: Error) => error.message))
