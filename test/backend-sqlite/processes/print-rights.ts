/* Prints the rights of all files beside the database while it is in use: `{ "jobs.db": "600", ... }`. */
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'

const [, , file = ''] = process.argv
const backend = sqliteBackend({ file })
await backend.jobs.insert(exampleJob())
const rightsOf = (name: string) => (statSync(join(dirname(file), name)).mode & 0o777).toString(8)
const names = readdirSync(dirname(file)).toSorted()
const ids = new RegExp(`^${basename(file)}-process-.*`)
const rights = names.map((name) => [name.replace(ids, 'process'), rightsOf(name)])
await backend.close()
console.log(JSON.stringify(Object.fromEntries(rights)))
