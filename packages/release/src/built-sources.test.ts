import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isBuilt, recordBuild } from './built-sources.ts'

/** A repository with one package. */
function repository() {
  const root = mkdtempSync(join(tmpdir(), 'genmount-built-sources-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'packages/core/src/job'), { recursive: true })
  const write = (file: string) => writeFileSync(join(root, file), String(Math.random()))
  const files = ['tsconfig.json', 'package-lock.json', 'packages/core/package.json']
  for (const file of [...files, 'packages/core/src/job/machine.ts']) write(file)
  return { root, write }
}

test.each(['package-lock.json', 'packages/core/package.json', 'packages/core/src/job/machine.ts'])(
  'the packages count as built after a build, until %s changes',
  async (file) => {
    const { root, write } = repository()
    expect(isBuilt(root)).toBe(false)
    await recordBuild(async () => {}, root)
    expect(isBuilt(root)).toBe(true)
    write('packages/core/src/job/machine.test.ts')
    expect(isBuilt(root)).toBe(true)
    write(file)
    expect(isBuilt(root)).toBe(false)
  },
)

test('the packages do not count as built when a build has failed, when a source changed during it, or without their folders dist', async () => {
  const { root, write } = repository()
  await recordBuild(async () => {}, root)
  await expect(recordBuild(() => Promise.reject(new Error('broken')), root)).rejects.toThrow('broken')
  expect(isBuilt(root)).toBe(false)
  await recordBuild(async () => write('packages/core/src/job/machine.ts'), root)
  expect(isBuilt(root)).toBe(false)
  await recordBuild(async () => {}, root)
  rmSync(join(root, 'packages/release/dist'), { recursive: true })
  expect(isBuilt(root)).toBe(false)
})
