/**
 * Reads from the given file, prints the outcome, and ends without closing the file. With `as-nobody` it first gives up its
 * rights to other users' files.
 */
import { sqliteBackend } from '@genmount/backend-sqlite'

const [, , file = '', user] = process.argv
const nobody = 65534
if (user === 'as-nobody' && process.getuid?.() === 0) process.setuid?.(nobody)
const { jobs } = sqliteBackend({ file })
console.log(await jobs.get('job-1').then(String, (error: Error) => error.message))
