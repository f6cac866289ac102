import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { engineCheck } from '../../packages/release/src/engine-check.ts'
import { repo } from '../processes/repo.ts'
import { runProgram } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { publishedPackages } from '../published-packages.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const [major, minor] = process.versions.node.split('.').map(Number) as [number, number]

function fileWith(floor: string, refusal: 'throw' | 'exit' = 'throw'): string {
  const file = join(temporaryFolder(), 'package.mjs')
  const check = engineCheck({ name: '@genmount/any', engines: { node: `>=${floor}` } }, refusal)
  writeFileSync(file, `${check}\nconsole.log('started')\n`)
  return file
}

test.each([`${major + 1}`, `${major + 1}.0`, `${major}.${minor + 1}`])(
  'a program that needs Node.js %s says so in one line, and ends with exit code 1',
  async (floor) => {
    expect(await runProgram([process.execPath, fileWith(floor, 'exit')])).toMatchObject({
      exit: 1,
      stdout: '',
      stderr: `@genmount/any is made for Node.js ${floor} or later, and this is Node.js ${process.versions.node}.\n`,
    })
  },
)

test('a module that needs a later Node.js throws an Error that says so', async () => {
  await expect(import(fileWith(`${major}.${minor + 1}`))).rejects.toThrow(
    `@genmount/any is made for Node.js ${major}.${minor + 1} or later, and this is Node.js ${process.versions.node}.`,
  )
})

test.each([`${major}`, `${major}.${minor}`, `${major - 1}.${minor + 1}`])(
  'a program that needs Node.js %s starts on this one',
  async (floor) => {
    expect((await runProgram([process.execPath, fileWith(floor, 'exit')])).stdout).toBe('started\n')
  },
)

test('Deno and Bun are not measured by the version of Node.js that they report', async () => {
  for (const [runtime, ...args] of [runtimes.deno, runtimes.bun])
    expect((await runProgram([runtime, ...args, fileWith('99')])).stdout).toBe('started\n')
})

test('a range of versions that the check does not understand fails the build', () => {
  expect(() => engineCheck({ name: '@genmount/any', engines: { node: '^22 || >=24' } }, 'exit')).toThrow(
    new TypeError('engines.node of @genmount/any must have the form >=22.12.'),
  )
})

test('no package is made for an older Node.js than a package of ours that it depends on', () => {
  const manifests = new Map(
    globSync('packages/*/package.json', { cwd: repo }).map((file) => {
      const manifest = JSON.parse(readFileSync(join(repo, file), 'utf8'))
      return [manifest.name as string, manifest]
    }),
  )
  const floorOf = (name: string) => manifests.get(name).engines.node.slice(2) as string
  const isOlder = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true }) < 0
  const tooOld = publishedPackages.flatMap((name) => {
    const own = `@genmount/${name}`
    return Object.keys(manifests.get(own).dependencies ?? {})
      .filter((other) => manifests.has(other) && isOlder(floorOf(own), floorOf(other)))
      .map((other) => `${own} ${floorOf(own)} depends on ${other} ${floorOf(other)}`)
  })
  expect(tooOld).toEqual([])
})
