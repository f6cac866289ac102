import { basename } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { listenOnFreePorts, portOf } from './listen-on-free-ports.ts'

/**
 * Runs the servers of READMEs that are given as files, all in this process. Prints their ports by the names of the files, as
 * one line of JSON, and runs until it is killed.
 */
const started = listenOnFreePorts()
const ports: Record<string, number> = {}
for (const file of process.argv.slice(2)) {
  await import(pathToFileURL(file).href)
  const [server] = started.splice(0)
  if (!server) throw new Error(`${file} starts no server.`)
  ports[basename(file, '.mts')] = await portOf(server)
}
console.log(JSON.stringify(ports))
