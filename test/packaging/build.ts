import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'

/** Builds all packages, as many at a time as there are processors. No build reads what another one writes. */
const waiting = globSync('packages/*/package.json').map(dirname)

async function buildNext(): Promise<void> {
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const build = spawn('npm', ['run', 'build', '--if-present', '--silent'], { cwd: folder })
    let said = ''
    for (const stream of [build.stdout, build.stderr]) stream.on('data', (text) => (said += text))
    const code = await new Promise((resolve) => build.once('close', resolve))
    if (code === 0) continue
    console.error(`${folder} can't be built:\n${said}`)
    process.exitCode = 1
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, buildNext))
