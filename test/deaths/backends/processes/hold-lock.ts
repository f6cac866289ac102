/** Takes the write lock of the file it is given, as any SQLite client may, and holds it until its input ends. */
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'

const [, , file = ''] = process.argv
const database = new DatabaseSync(file)
database.exec('BEGIN IMMEDIATE')
console.log('held')
process.stdin.resume()
await once(process.stdin, 'end')
database.exec('COMMIT')
database.close()
